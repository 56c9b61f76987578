// SPDX-License-Identifier: Apache-2.0
#include "types/FileView.h"

#include "types/DatatypeDecoder.h"

#include <optional>
#include <utility>

namespace forerun {

FileView::FileView() = default;

void FileView::set(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  displacement_ = displacement;
  known_ = false;
  const std::uint64_t unit = typeBytes(etype);
  etypeBytes_ = unit > 0 ? unit : 1;
  if (unit == 0 || displacement < 0)
    return;
  std::optional<DecodedType> type = decodeDatatype(filetype);
  if (!type)
    return;
  filetype_ = std::move(type->map);
  contiguous_ = filetype_.isDense() && filetype_.startsAtZero();
  known_ = true;
}

std::uint64_t FileView::firstByteAtOrAfter(std::uint64_t offset) const {
  const auto liesInFront = [&](std::uint64_t byte) {
    bool inFront = false;
    forEachRange(byte, 1, [&](std::uint64_t at, std::uint64_t) {
      inFront = at < offset;
      return false;
    });
    return inFront;
  };
  if (!liesInFront(0))
    return 0;
  // A view's bytes never go backwards, so at most `offset` of them lie before it.
  std::uint64_t inFront = 0;
  std::uint64_t notInFront = std::min(offset, kFarthest);
  while (notInFront - inFront > 1) {
    const std::uint64_t middle = inFront + (notInFront - inFront) / 2;
    (liesInFront(middle) ? inFront : notInFront) = middle;
  }
  return notInFront;
}

} // namespace forerun
