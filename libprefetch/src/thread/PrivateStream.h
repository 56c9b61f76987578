// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

/// \file
/// Replaces a FILE on the pre-execution thread: the text of a file in memory, and a position in
/// it. No lock, no memory of its own, no system call. One thread.
///
/// A stream is at its end once more has been asked for than there is, not when the last byte has
/// been read (as in libc).

namespace forerun {

class PrivateStream {
public:
  /// \p text must outlive this; it and the byte after it may be written to.
  PrivateStream(char *text, std::size_t bytes) : text_(text), bytes_(bytes) {}

  int get(); ///< EOF at the end
  /// Writes into the text, until the next seek. False: at the beginning, or too many.
  bool unget(int c);
  std::size_t read(void *data, std::size_t bytes);
  char *line(char *line, int most);
  bool seek(long offset, int whence);
  long tell() const { return static_cast<long>(position_); }

  bool atEnd() const { return atEnd_; }
  void noteEnd() { atEnd_ = true; }
  void clearEnd() { atEnd_ = false; }

  // ---- for scanning ----
  char *rest() { return text_ + position_; }
  std::size_t restBytes() const { return position_ < bytes_ ? bytes_ - position_ : 0; }
  void skip(std::size_t bytes) { position_ += bytes; }

  PrivateStream *next = nullptr; ///< of the open streams

private:
  struct Overwritten {
    std::size_t position;
    char was;
  };
  char *text_;
  std::size_t bytes_;
  std::size_t position_ = 0; ///< may be past the end, after a seek
  bool atEnd_ = false;
  std::array<Overwritten, 16> overwritten_{};
  std::size_t overwrites_ = 0;
};

} // namespace forerun
