// SPDX-License-Identifier: Apache-2.0
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <cstdint>
#include <limits>

/// \file
/// What a program asks of an open file: where its file pointer is. The pre-execution thread has one
/// of its own, which all calls that move the program's move.

using forerun::PreFile;
using forerun::PreThread;

extern "C" {

int forerun_pre_MPI_File_get_position(int site, int values, MPI_File fh, MPI_Offset *offset) {
  constexpr std::uint64_t kMost = std::numeric_limits<MPI_Offset>::max(); // less than kNowhere
  PreThread *const self = PreThread::predicting();
  const PreFile *const file = self != nullptr ? self->files().find(fh) : nullptr;
  if (file == nullptr || !file->pointer.view.known() || file->pointer.position > kMost)
    return 0;
  *self->own(offset) = static_cast<MPI_Offset>(file->pointer.position);
  self->skip(site, values); // the main thread's value is not wanted
  return 1;
}
}
