// SPDX-License-Identifier: Apache-2.0
#include "types/TypeConstructor.h"

#include "mpi/Mpi1.h"
#include "types/ArrayGrid.h"

#include <mpi.h>

namespace forerun {

bool TypeConstructor::isStruct() const {
  return combiner == MPI_COMBINER_STRUCT || combiner == kStructInteger;
}

bool TypeConstructor::hasBlocks() const {
  switch (combiner) {
  case MPI_COMBINER_INDEXED:
  case MPI_COMBINER_HINDEXED:
  case kHindexedInteger:
  case MPI_COMBINER_INDEXED_BLOCK:
  case MPI_COMBINER_HINDEXED_BLOCK:
    return true;
  default:
    return isStruct();
  }
}

TypeConstructor::Blocks TypeConstructor::blocks() const {
  const bool ofOneLength =
      combiner == MPI_COMBINER_INDEXED_BLOCK || combiner == MPI_COMBINER_HINDEXED_BLOCK;
  const std::size_t lengths = ofOneLength ? 1 : count();
  return {numbers.subspan(1, lengths), numbers.subspan(1 + lengths, count()), ofOneLength};
}

bool TypeConstructor::countsExtents() const {
  return combiner == MPI_COMBINER_VECTOR || combiner == MPI_COMBINER_INDEXED ||
         combiner == MPI_COMBINER_INDEXED_BLOCK;
}

TypeConstructor::Subarray TypeConstructor::subarray() const {
  const std::size_t dimensions = count();
  const auto all = numbers.subspan(1);
  return {all.subspan(0, dimensions), all.subspan(dimensions, dimensions),
          all.subspan(2 * dimensions, dimensions), static_cast<int>(numbers.back())};
}

TypeConstructor::Darray TypeConstructor::darray() const {
  const auto dimensions = static_cast<std::size_t>(numbers[2]);
  const auto all = numbers.subspan(3);
  return {static_cast<int>(numbers[0]),
          static_cast<int>(numbers[1]),
          all.subspan(0, dimensions),
          all.subspan(dimensions, dimensions),
          all.subspan(2 * dimensions, dimensions),
          all.subspan(3 * dimensions, dimensions),
          static_cast<int>(numbers.back())};
}

bool appendConstructed(TypeMap &map, const TypeConstructor &made,
                       std::span<const TypeMap *const> children) {
  const auto &n = made.numbers;
  if (made.hasBlocks()) {
    const auto blocks = made.blocks();
    for (std::size_t i = 0; i < made.count() && !map.overfull(); ++i) {
      if (blocks.length(i) == 0)
        continue;
      const TypeMap &child = *(made.isStruct() ? children[i] : children.front());
      const std::int64_t unit = made.countsExtents() ? child.extent() : 1;
      map.appendBlocks(blocks.displacements[i] * unit, 1, blocks.length(i), 0, child);
    }
    return true;
  }
  const TypeMap &child = *children.front();
  switch (made.combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED: // only the bounds differ
    map.appendBlocks(0, 1, 1, 0, child);
    return true;
  case MPI_COMBINER_CONTIGUOUS:
    map.appendBlocks(0, 1, n[0], 0, child);
    return true;
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
  case kHvectorInteger:
    map.appendBlocks(0, n[0], n[1], n[2] * (made.countsExtents() ? child.extent() : 1), child);
    return true;
  case MPI_COMBINER_SUBARRAY:
    appendSubarray(map, made.subarray(), child);
    return true;
  case MPI_COMBINER_DARRAY:
    appendDarray(map, made.darray(), child);
    return true;
  default:
    return false;
  }
}

} // namespace forerun
