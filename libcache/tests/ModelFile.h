// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/Geometry.h"
#include "forerun/Mutex.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// \file
/// What a file must contain, for tests in which several threads read and write it.
///
/// The file consists of blocks; every write writes whole blocks with a version of its own, and a
/// byte is a function of version and offset. A reader that takes the versions before and after its
/// read knows what it must have read wherever no write was in progress meanwhile (elsewhere MPI-IO
/// allows anything).

namespace forerun {

class ModelFile {
public:
  static constexpr std::uint64_t kBlockBytes = 512;
  static constexpr std::size_t kBlocks = 512;

  /// How the storage is changed.
  using Store = std::function<void(std::uint64_t offset, const std::vector<char> &bytes)>;

  struct Snapshot {
    std::uint64_t sizeBefore;
    std::vector<std::uint64_t> versions;
  };

  /// Writes blocks [first, last): to the storage by \p store, then reports it by \p written.
  void write(std::size_t first, std::size_t last, const Store &store,
             const std::function<void()> &written) {
    const MutexLock writing(oneWriter_);
    const std::uint64_t version = ++versions_;
    for (std::size_t block = first; block < last; ++block)
      started_[block] = version;
    sizeStarted_ = std::max<std::uint64_t>(sizeStarted_, last * kBlockBytes);
    std::vector<char> bytes((last - first) * kBlockBytes);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = byteAt(first * kBlockBytes + i, version);
    store(first * kBlockBytes, bytes);
    written();
    for (std::size_t block = first; block < last; ++block)
      finished_[block] = version;
    sizeFinished_ = std::max<std::uint64_t>(sizeFinished_, last * kBlockBytes);
  }
  /// Cuts the file. No other thread may be between a snapshot and its check.
  void truncate(std::size_t blocks) {
    for (std::size_t block = blocks; block < kBlocks; ++block)
      started_[block] = finished_[block] = 0;
    sizeStarted_ = sizeFinished_ = blocks * kBlockBytes;
  }
  std::uint64_t size() const { return sizeFinished_; }

  Snapshot before() const {
    Snapshot now{sizeFinished_, std::vector<std::uint64_t>(kBlocks)};
    std::ranges::copy(finished_, now.versions.begin());
    return now;
  }
  /// What is wrong with the \p got bytes that a read of \p length at \p offset returned; empty if
  /// nothing is.
  std::string check(const Snapshot &snapshot, std::uint64_t offset, std::size_t length,
                    const char *bytes, std::size_t got) const {
    const ByteRange range{offset, offset + length};
    const ByteRange least{offset, std::min(range.end, snapshot.sizeBefore)};
    const ByteRange most{offset, std::min<std::uint64_t>(range.end, sizeStarted_)};
    if (got < least.length() || got > most.length())
      return "got " + std::to_string(got) + " bytes, not " + std::to_string(least.length()) +
             " to " + std::to_string(most.length());
    for (std::uint64_t at = offset; at < offset + got; ++at) {
      const std::size_t block = at / kBlockBytes;
      if (snapshot.versions[block] != started_[block])
        continue;
      if (bytes[at - offset] != byteAt(at, snapshot.versions[block]))
        return "wrong byte at " + std::to_string(at) + " of version " +
               std::to_string(snapshot.versions[block]);
    }
    return {};
  }

private:
  static char byteAt(std::uint64_t offset, std::uint64_t version) {
    return version == 0 ? char{0} : static_cast<char>(1 + (offset * 31 + version * 17) % 255);
  }

  Mutex oneWriter_;
  std::uint64_t versions_ FORERUN_GUARDED_BY(oneWriter_) = 0;
  std::array<std::atomic<std::uint64_t>, kBlocks> started_{}, finished_{};
  std::atomic<std::uint64_t> sizeStarted_{0}, sizeFinished_{0};
};

} // namespace forerun
