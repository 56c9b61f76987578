// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Fuse.h"

#include <map>
#include <memory>
#include <utility>

/// \file
/// The files of the backing directory that the kernel refers to by number. A number is the address
/// of the node, which holds a descriptor (O_PATH), so that renames and unlinks do not matter. One
/// thread.

namespace forerun::testbed {

class Inodes {
public:
  /// The control file's number: not the address of a node.
  static constexpr fuse_ino_t kControl = 3;

  /// \p rootFd: the backing directory, O_PATH; becomes ours.
  explicit Inodes(int rootFd);
  ~Inodes();
  Inodes(const Inodes &) = delete;
  Inodes &operator=(const Inodes &) = delete;

  int descriptor(fuse_ino_t number) const;

  /// Finds \p name in \p parent, counts one more lookup and fills \p entry. Returns an errno.
  int lookup(fuse_ino_t parent, const char *name, fuse_entry_param &entry);
  void forget(fuse_ino_t number, std::uint64_t lookups);

  /// Opens the file itself. Returns a descriptor or -errno.
  int reopen(fuse_ino_t number, int flags) const;

private:
  using Identity = std::pair<dev_t, ino_t>;
  struct Node {
    int fd;
    Identity identity;
    std::uint64_t lookups;
  };
  int rootFd_;
  std::map<Identity, std::unique_ptr<Node>> nodes_;
};

} // namespace forerun::testbed
