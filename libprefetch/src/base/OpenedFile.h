// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/WhichFile.h"

#include <cstdint>
#include <mpi.h>
#include <sys/stat.h>

/// \file
/// What an open gave, for code that makes prefetch calls on the file. Plain values: still true when
/// the file has been closed and its MPI_File belongs to another file.

namespace forerun {

struct OpenedFile {
  MPI_File file = MPI_FILE_NULL;
  std::uint32_t slot = 0, generation = 0; ///< of its handle; generation 0: it has no cache
  int rank = 0, ranks = 1;                ///< in the file's communicator
  bool readOnly = false;
  std::uint64_t startByte = 0; ///< the individual file pointer after open
  int fd = -1;                 ///< for the file's size, while it is open; -1: unknown
  const char *path = nullptr;  ///< never freed; null: unknown
  WhichFile which = {};        ///< the path may be another file's by now

  /// Whether what the file's name leads to now is still the file that was opened.
  bool isStill(const WhichFile &now) const { return !which.isKnown() || which == now; }
  /// False: the file can no longer be found. Uses only system calls; any thread.
  bool lookUp(struct stat &status) const;
};

} // namespace forerun
