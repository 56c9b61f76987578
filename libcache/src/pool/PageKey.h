// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Cache.h"

#include <cstdint>
#include <string>

/// \file
/// The name of a file, or of a page of it, in a pool. Processes that opened one file by one path
/// get one key. It is 128 bits of hashed text, so that no two files of a job ever collide; no two
/// pages of one file do.

namespace forerun {

struct PageKey {
  std::uint64_t high = 0, low = 0;

  bool operator==(const PageKey &) const = default;
};

class FileKey {
public:
  FileKey() = default;
  FileKey(const FileIdentity &identity, const std::string &path);

  /// \p name: under which it is shared with other nodes, or 0. Processes that do not share it under
  /// that name have other rules for what is too old, and do not find it.
  PageKey page(std::uint64_t index, std::uint64_t name) const;

private:
  std::uint64_t high_ = 0, low_ = 0;
};

} // namespace forerun
