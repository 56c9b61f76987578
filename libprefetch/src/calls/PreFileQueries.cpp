// SPDX-License-Identifier: Apache-2.0
#include "files/PrefetchPointer.h"
#include "forerun/runtime.h"
#include "thread/PreThread.h"

#include <cstdint>
#include <limits>
#include <sys/stat.h>

/// \file
/// What a program asks of an open file: where its file pointer is, how long the file is. The
/// pre-execution thread has a pointer of its own, which all calls that move the program's move, and
/// a file that is open read-only is as long now as it will be. Each function returns 1 where the
/// answer is known; otherwise 0: then the value comes from the main thread.

using forerun::PrefetchPointer;
using forerun::PreFile;
using forerun::PreThread;

namespace {

/// Null: the thread has not opened \p fh.
PreFile *asked(PreThread *self, MPI_File fh) {
  return self != nullptr ? self->files().find(fh) : nullptr;
}

int answer(PreThread &self, int site, int values, MPI_Offset *to, std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<MPI_Offset>::max()))
    return 0;
  *self.own(to) = static_cast<MPI_Offset>(value);
  self.skip(site, values); // the main thread's value is not wanted
  return 1;
}

} // namespace

extern "C" {

int forerun_pre_MPI_File_get_position(int site, int values, MPI_File fh, MPI_Offset *offset) {
  PreThread *const self = PreThread::predicting();
  const PreFile *const file = asked(self, fh);
  if (file == nullptr || !file->pointer.view.known())
    return 0;
  return answer(*self, site, values, offset, file->pointer.position); // kNowhere is too much
}

int forerun_pre_MPI_File_get_size(int site, int values, MPI_File fh, MPI_Offset *size) {
  PreThread *const self = PreThread::predicting();
  const PreFile *const file = asked(self, fh);
  struct stat status{};
  if (file == nullptr || !file->opened.readOnly || !file->opened.lookUp(status))
    return 0;
  return answer(*self, site, values, size, static_cast<std::uint64_t>(status.st_size));
}
}
