// SPDX-License-Identifier: Apache-2.0
#include "forerun/runtime.h"
#include "thread/Entry.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

/// \file
/// What a program asks of an open file: where its file pointer is, what its view is, and where an
/// offset of the view lies in the file. The pre-execution thread has a pointer and a view of its own,
/// which all calls that move or set the program's move and set. Each function returns 1 where the
/// thread knows the answer; otherwise 0: then the values come from the main thread.

using forerun::entered;
using forerun::Entry;
using forerun::PreFile;
using forerun::PreThread;

namespace {

/// The main thread's values are not wanted.
int known(PreThread &self, int site, int values) {
  self.skip(site, values);
  return 1;
}

} // namespace

extern "C" {

int forerun_pre_MPI_File_get_position(int site, int values, MPI_File fh, MPI_Offset *offset) {
  constexpr std::uint64_t kMax = std::numeric_limits<MPI_Offset>::max(); // less than kNowhere
  PreThread *const self = entered<Entry::MPI_File_get_position>();
  const PreFile *const file = self != nullptr ? self->files().find(fh) : nullptr;
  if (file == nullptr || !file->pointer.view.known() || file->pointer.position > kMax)
    return 0;
  *self->own(offset) = static_cast<MPI_Offset>(file->pointer.position);
  return known(*self, site, values);
}

int forerun_pre_MPI_File_get_byte_offset(int site, int values, MPI_File fh, MPI_Offset offset,
                                         MPI_Offset *byte) {
  PreThread *const self = entered<Entry::MPI_File_get_byte_offset>();
  const PreFile *const file = self != nullptr ? self->files().find(fh) : nullptr;
  std::uint64_t start = 0, found = 0;
  bool isFound = false;
  if (file == nullptr || offset < 0 ||
      __builtin_mul_overflow(static_cast<std::uint64_t>(offset), file->pointer.view.etypeBytes(),
                             &start))
    return 0;
  file->pointer.view.forEachRange(start, 1, [&](std::uint64_t at, std::uint64_t /*length*/) {
    found = at;
    isFound = true;
    return false;
  });
  if (!isFound)
    return 0;
  *self->own(byte) = static_cast<MPI_Offset>(found);
  return known(*self, site, values);
}

/// MPI gives duplicates of the datatypes, which the program frees; this thread frees none.
int forerun_pre_MPI_File_get_view(int site, int values, MPI_File fh, MPI_Offset *displacement,
                                  MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep) {
  constexpr std::string_view kOnlyOne{"native", sizeof "native"}; // with its terminating null
  PreThread *const self = entered<Entry::MPI_File_get_view>();
  const PreFile *const file = self != nullptr ? self->files().find(fh) : nullptr;
  if (file == nullptr || !file->pointer.view.known())
    return 0;
  *self->own(displacement) = file->pointer.displacement;
  *self->own(etype) = file->pointer.etype;
  *self->own(filetype) = file->pointer.filetype;
  std::copy(kOnlyOne.begin(), kOnlyOne.end(),
            static_cast<char *>(self->own(static_cast<void *>(datarep), kOnlyOne.size())));
  return known(*self, site, values);
}
}
