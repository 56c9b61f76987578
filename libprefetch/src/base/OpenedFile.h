// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_OPENEDFILE_H
#define FORERUN_OPENEDFILE_H

#include "base/WhichFile.h"

#include <cstdint>
#include <mpi.h>
#include <sys/stat.h>

/// \file
/// What an open gave, as told to whoever makes prefetch calls on the file. Plain values: still true
/// when the file has been closed, and its MPI_File is another file's.

namespace forerun {

struct OpenedFile {
  MPI_File file = MPI_FILE_NULL;
  std::uint32_t slot = 0, generation = 0; ///< of its handle; generation 0: it has no cache
  int rank = 0, ranks = 1;                ///< in the file's communicator
  bool readOnly = false;
  std::uint64_t startByte = 0; ///< the individual file pointer after open
  int fd = -1;                 ///< for the file's size, while it is open; -1: not known
  const char *path = nullptr;  ///< lives for ever; null: not known
  WhichFile which = {};        ///< the path may be another's by now

  /// Whether what goes by the file's name is still the file that was opened.
  bool isStill(const WhichFile &now) const { return !which.isKnown() || which == now; }
  /// False: the file is not to be found any more. By system calls alone; any thread.
  bool lookUp(struct stat &status) const;
};

} // namespace forerun

#endif
