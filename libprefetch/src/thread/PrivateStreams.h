// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "thread/Arena.h"
#include "thread/PrivateStream.h"

/// \file
/// The open streams of the pre-execution thread, in its arena.

namespace forerun {

class PrivateStreams {
public:
  enum class Opened {
    Yes,
    No,     ///< as libc's fopen would have failed
    NoFile, ///< a pipe or a terminal: reading there would take data from the program
    NoMemory
  };
  /// \p mode as for fopen. Files opened only for writing are empty.
  Opened open(Arena &arena, const char *path, const char *mode, PrivateStream *&stream);
  bool close(Arena &arena, void *stream);
  /// Null: not one of these streams.
  PrivateStream *find(const void *stream) const;

private:
  PrivateStream *first_ = nullptr;
};

} // namespace forerun
