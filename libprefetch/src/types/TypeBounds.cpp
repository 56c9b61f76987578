// SPDX-License-Identifier: Apache-2.0
#include "types/TypeBounds.h"

#include "mpi/Mpi1.h"

#include <algorithm>
#include <functional>
#include <mpi.h>
#include <numeric>

namespace forerun {
namespace {

/// The bounds of \p length elements from \p displacement on.
TypeBounds ofBlock(const TypeBounds &child, std::int64_t displacement, std::int64_t length) {
  const std::int64_t last = child.extent() * std::max<std::int64_t>(length - 1, 0);
  return {child.lower + displacement + std::min<std::int64_t>(last, 0),
          child.upper + displacement + std::max<std::int64_t>(last, 0), child.alignment};
}

TypeBounds around(const TypeBounds &one, const TypeBounds &other) {
  return {std::min(one.lower, other.lower), std::max(one.upper, other.upper), one.alignment};
}

TypeBounds ofVector(const TypeConstructor &made, const TypeBounds &child) {
  const std::int64_t count = made.numbers[0], length = made.numbers[1];
  const std::int64_t stride = made.numbers[2] * (made.countsExtents() ? child.extent() : 1);
  return around(ofBlock(child, 0, length), ofBlock(child, (count - 1) * stride, length));
}

TypeBounds ofBlocks(const TypeConstructor &made, std::span<const TypeBounds> children) {
  const auto blocks = made.blocks();
  TypeBounds bounds;
  bool hasAny = false;
  for (std::size_t i = 0; i < made.count(); ++i) {
    if (blocks.length(i) == 0 && !blocks.ofOneLength)
      continue;
    const TypeBounds &child = made.isStruct() ? children[i] : children.front();
    const std::int64_t unit = made.countsExtents() ? child.extent() : 1;
    const TypeBounds block = ofBlock(child, blocks.displacements[i] * unit, blocks.length(i));
    bounds = hasAny ? around(bounds, block) : block;
    hasAny = true;
  }
  return bounds;
}

/// Pads the extent to the strictest alignment of its members. If that of a member is unknown, so is
/// that of the struct, and nothing is padded.
TypeBounds padded(TypeBounds bounds, const TypeConstructor &made,
                  std::span<const TypeBounds> members) {
  const auto lengths = made.blocks().lengths;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (lengths[i] == 0)
      continue;
    if (members[i].alignment == TypeBounds::kUnknown)
      return {bounds.lower, bounds.upper, TypeBounds::kUnknown};
    bounds.alignment = std::max(bounds.alignment, members[i].alignment);
  }
  if (bounds.alignment > 0)
    if (const std::int64_t over = bounds.extent() % bounds.alignment; over != 0)
      bounds.upper += bounds.alignment - over;
  return bounds;
}

/// A part of an array has the bounds of the whole array.
TypeBounds ofArray(std::span<const std::int64_t> sizes, const TypeBounds &child) {
  const std::int64_t extent =
      std::accumulate(sizes.begin(), sizes.end(), child.extent(), std::multiplies<>());
  return {0, extent, child.alignment};
}

} // namespace

TypeBounds boundsOf(const TypeConstructor &made, std::span<const TypeBounds> children) {
  if (made.isStruct())
    return padded(ofBlocks(made, children), made, children);
  if (made.hasBlocks())
    return ofBlocks(made, children);
  const TypeBounds &child = children.front();
  switch (made.combiner) {
  case MPI_COMBINER_CONTIGUOUS:
    return ofBlock(child, 0, made.numbers[0]);
  case MPI_COMBINER_RESIZED:
    return {made.numbers[0], made.numbers[0] + made.numbers[1], child.alignment};
  case MPI_COMBINER_SUBARRAY:
    return ofArray(made.subarray().sizes, child);
  case MPI_COMBINER_DARRAY:
    return ofArray(made.darray().globalSizes, child);
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
  case kHvectorInteger:
    return ofVector(made, child);
  default: // MPI_COMBINER_DUP
    return child;
  }
}

TypeBounds boundsOfEmpty(const TypeConstructor &made, std::span<const TypeBounds> children) {
  switch (made.combiner) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED:
  case MPI_COMBINER_SUBARRAY:
  case MPI_COMBINER_DARRAY:
    return boundsOf(made, children);
  default:
    return {};
  }
}

} // namespace forerun
