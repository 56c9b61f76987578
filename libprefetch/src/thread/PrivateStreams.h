// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_PRIVATESTREAMS_H
#define FORERUN_PRIVATESTREAMS_H

#include "thread/Arena.h"
#include "thread/PrivateStream.h"

/// \file
/// The open streams of the pre-execution thread, in its arena.

namespace forerun {

class PrivateStreams {
public:
  enum class Opened {
    Yes,
    No,     ///< as libc's fopen would have said
    NoFile, ///< a pipe or a terminal: what were read there would be missing to the program
    NoMemory
  };
  /// \p mode as fopen's. Files opened for writing only are empty.
  Opened open(Arena &arena, const char *path, const char *mode, PrivateStream *&stream);
  bool close(Arena &arena, void *stream);
  /// Null: not one of these.
  PrivateStream *find(const void *stream) const;

private:
  PrivateStream *first_ = nullptr;
};

} // namespace forerun

#endif
