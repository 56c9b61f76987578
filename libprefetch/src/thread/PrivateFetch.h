// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "base/Record.h"
#include "channels/Stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// Bytes of a file for the side that makes prefetch calls itself: those that the main thread got, if
/// it has made the same call, and they are still at hand; otherwise through the cache, or, if the
/// main thread has already closed the file, straight from the file by its name.

namespace forerun {

class PreThread;

class PrivateFetch {
public:
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20; ///< per request

  /// \p self: the pre-execution thread, if running on it; null: by hand. \p call: for the records.
  PrivateFetch(PreThread *self, Stream &stream, const OpenedFile &file, CallId call);

  /// The bytes from \p offset on, at most `length`, valid until the next call; null: they are
  /// unavailable. \p came: how many; 0 beyond the end of the file. Waits.
  const void *ask(std::uint64_t offset, std::uint64_t length, std::size_t &came);

  /// All the bytes of \p to, as they are from \p offset on. False: some are unavailable.
  bool fill(std::uint64_t offset, std::span<std::byte> to);

private:
  bool takeFromTrail();

  PreThread *const self_;
  Stream &stream_;
  const OpenedFile &file_;
  Record record_;
  std::array<std::byte, 16384> staging_;
};

} // namespace forerun
