// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fetch/Transfer.h"

#include <atomic>
#include <memory>
#include <string>

/// \file
/// A file with a descriptor, for the backends that read by system calls.
///
/// With `direct` it has a second descriptor, opened by path with O_DIRECT. A read whose offset,
/// lengths and addresses are aligned goes through that one; heads, tails and the rest after a short
/// read at the end of the file go through the caller's. There is no second one if the first shows
/// that a quarter of the descriptors that the process may have are in use.
///
/// Threads: every function from any thread.

namespace forerun {

class PosixFile final : public FetchFile {
public:
  static bool serves(const FileSource &source) { return source.fd >= 0; }
  /// Null if there is no memory.
  static std::unique_ptr<PosixFile> open(const FileSource &source, bool direct);
  ~PosixFile() override;

  static PosixFile &of(const Transfer &transfer) {
    return *static_cast<PosixFile *>(transfer.file());
  }
  void read(Transfer &transfer) override;
  void useDescriptor(int fd) override { fd_ = fd; }

  int descriptorFor(const Transfer &transfer) const;
  /// Takes the result of a read through \p transfer's descriptor. True if it shows that O_DIRECT
  /// does not work here: now everything goes through the caller's descriptor; read again.
  bool refusesDirect(const Transfer &transfer, ssize_t result);
  /// Takes the result of a read, like Transfer::advance. After a short read it asks for the size of
  /// the file, since to see the end by one more read may be another request to the storage.
  static bool advance(Transfer &transfer, ssize_t result);

private:
  explicit PosixFile(int callersFd) : fd_(callersFd) {}
  void openDirect(const std::string &path);

  std::atomic<int> fd_; ///< the caller's
  int directFd_ = -1;
  std::size_t offsetAlignment_ = 0, memoryAlignment_ = 0;
  std::atomic<bool> useDirect_ = false;
};

} // namespace forerun
