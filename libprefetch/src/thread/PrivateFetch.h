// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PRIVATEFETCH_H
#define FORERUN_PRIVATEFETCH_H

#include "base/OpenedFile.h"
#include "base/Record.h"
#include "between/Stream.h"

#include <array>
#include <cstddef>
#include <cstdint>

/// \file
/// Bytes of a file for the side that makes prefetch calls itself: through the cache, or, where the
/// main thread has closed the file already, straight from the file by its name.

namespace forerun {

class PreThread;

class PrivateFetch {
public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20; ///< of one question

  /// \p self: the pre-execution thread, which this is then; null: by hand. \p call: of the records.
  PrivateFetch(PreThread *self, Stream &stream, const OpenedFile &file, CallId call);

  /// The bytes from \p offset on, `length` at most, until the next question; null: they cannot be
  /// had. \p came: how many; 0 behind the file's end. Waits.
  const void *ask(std::uint64_t offset, std::uint64_t length, std::size_t &came);

private:
  PreThread *const self_;
  Stream &stream_;
  const OpenedFile &file_;
  Record record_;
  std::array<std::byte, 16384> staging_;
};

} // namespace forerun

#endif
