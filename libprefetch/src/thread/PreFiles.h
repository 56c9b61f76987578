// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "files/PrefetchPointer.h"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <span>
#include <vector>

/// \file
/// The files whose open the pre-execution thread has reached, with its own file pointer and view in
/// each. The main thread may already have closed one and opened another that has the same
/// MPI_File: for the pre-execution thread, that handle means the file that it opened last itself.
///
/// Belongs to the pre-execution thread; `open` allocates, so it is called where that thread is
/// unstoppable.

namespace forerun {

struct PreFile {
  OpenedFile opened;
  PrefetchPointer pointer;
};

class PreFiles {
public:
  PreFile &open(const OpenedFile &opened);
  PreFile *find(MPI_File file) const; ///< null: no file with this handle has been opened
  /// Calls \p take with what changes when the pointers of all files move.
  template <class Take> void forEachPosition(const Take &take) const {
    for (const auto &file : files_)
      for (std::uint64_t *each :
           {&file->pointer.position, &file->pointer.sharedPosition, &file->pointer.knownEnd})
        take(std::as_writable_bytes(std::span(each, 1)));
  }

private:
  std::vector<std::unique_ptr<PreFile>> files_; ///< one for each MPI_File seen so far
};

} // namespace forerun
