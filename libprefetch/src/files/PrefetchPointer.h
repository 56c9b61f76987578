// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/OpenedFile.h"
#include "types/FileView.h"

#include <cstdint>
#include <limits>
#include <mpi.h>

/// \file
/// A prefetch file pointer with its view. Only one side touches it (the pre-execution thread, or
/// calls by hand under HandleTable::handMutex), including the reset at a new open. Both functions
/// allocate and ask MPI: on the pre-execution thread, only where that is unstoppable.

namespace forerun {

struct PrefetchPointer {
  /// A position after a seek to an unknown place: nothing is read or written there.
  static constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

  std::uint32_t generation = 0; ///< of the handle that it belongs to
  FileView view;                ///< default: displacement 0, etype and filetype MPI_BYTE
  /// @{ What the view was made of. The pre-execution thread's datatypes stay as they are until its
  /// end; by hand, the program may have freed them.
  MPI_Offset displacement = 0;
  MPI_Datatype etype = MPI_BYTE, filetype = MPI_BYTE;
  /// @}
  std::uint64_t position = 0;       ///< in etypes
  std::uint64_t sharedPosition = 0; ///< prediction of the shared file pointer, in etypes

  /// The etype of the view at which the file ended when it was last checked.
  std::uint64_t knownEnd = 0;
  std::uint64_t knownBytes = 0;    ///< how many the file had when that was last looked up
  std::uint32_t broughtAtOnce = 0; ///< private reads whose bytes were not left (LazyReads)
  std::uint32_t beyondEnd = 0;     ///< reads in a row of which there is nothing in the file

  /// Starts again at the beginning of \p file if it still belongs to an earlier open.
  void follow(const OpenedFile &file);
  /// Like MPI_File_set_view: the pointers move to the beginning of the view.
  void setView(MPI_Offset from, MPI_Datatype unit, MPI_Datatype type);
};

} // namespace forerun
