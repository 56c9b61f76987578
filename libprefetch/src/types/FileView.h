// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeMap.h"

#include <cstdint>
#include <mpi.h>

/// \file
/// A file view (MPI-4 section 14.1.1 and 14.3): which bytes of a file a program sees, and in which
/// order. The filetype is laid end to end, extent by extent, from the displacement on; the bytes
/// of its typemap, holes left out, are the bytes of the view. An etype is the unit of
/// offsets.
///
/// Invariants
///  - A view that cannot be known (its datatype is overfull, see TypeMap, or invalid) has no
///    ranges: prefetches through it have no effect.
///  - A range never lies before the file's first byte.
/// Threads: `set` calls MPI and allocates (see DatatypeDecoder); everything else does neither.
/// No lock: an object belongs to one thread at a time.

namespace forerun {

class FileView {
public:
  FileView(); ///< as after open: displacement 0, etype and filetype MPI_BYTE

  void set(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype);

  bool known() const { return known_; }
  bool isContiguous() const { return contiguous_; } ///< the file itself, from the displacement on
  std::uint64_t etypeBytes() const { return etypeBytes_; } ///< at least 1

  /// Calls \p emit(offset, length) for the file ranges of bytes [start, start + bytes) of the view,
  /// in the view's order, until it returns false. Ranges that touch are merged.
  template <typename Emit>
  void forEachRange(std::uint64_t start, std::uint64_t bytes, Emit &&emit) const;

  /// The first byte of the view that lies at or after \p offset of the file.
  std::uint64_t firstByteAtOrAfter(std::uint64_t offset) const;

private:
  /// Far below where 64-bit arithmetic on offsets would wrap around.
  static constexpr std::uint64_t kFarthest = std::uint64_t{1} << 61;

  TypeMap filetype_;
  std::int64_t displacement_ = 0;
  std::uint64_t etypeBytes_ = 1;
  bool contiguous_ = true; ///< the view is the file from displacement_ on
  bool known_ = true;
};

template <typename Emit>
void FileView::forEachRange(std::uint64_t start, std::uint64_t bytes, Emit &&emit) const {
  if (!known_ || bytes == 0 || start > kFarthest || bytes > kFarthest)
    return;
  if (contiguous_) {
    emit(static_cast<std::uint64_t>(displacement_) + start, bytes);
    return;
  }
  filetype_.forEach(start, bytes, [&](std::int64_t offset, std::uint64_t length) {
    std::int64_t first = 0;
    if (__builtin_add_overflow(displacement_, offset, &first))
      return false;
    if (first >= 0)
      return emit(static_cast<std::uint64_t>(first), length);
    const auto inFront = static_cast<std::uint64_t>(-first);
    return inFront >= length || emit(std::uint64_t{0}, length - inFront);
  });
}

} // namespace forerun
