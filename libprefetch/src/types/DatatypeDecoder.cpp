// SPDX-License-Identifier: Apache-2.0
#include "types/DatatypeDecoder.h"

#include "types/ArrayGrid.h"
#include "types/NamedTypes.h"
#include "types/TypeContents.h"

#include <new>

namespace forerun {

namespace {

constexpr int kMaxDepth = 256; ///< constructors inside constructors

using Numbers = std::span<const std::int64_t>;

class Decoder {
public:
  std::optional<TypeMap> decode(MPI_Datatype datatype);

private:
  bool build(const TypeContents &contents, TypeMap &map);
  bool buildStruct(const TypeContents &contents, TypeMap &map);
  bool buildUniform(const TypeContents &contents, const TypeMap &child, TypeMap &map);

  int depth_ = 0;
};

std::int64_t extentOf(MPI_Datatype datatype) {
  MPI_Count lowerBound = 0;
  MPI_Count extent = 0;
  MPI_Type_get_extent_c(datatype, &lowerBound, &extent);
  return extent;
}

std::uint64_t sizeOf(MPI_Datatype datatype) {
  MPI_Count size = 0;
  MPI_Type_size_c(datatype, &size);
  return size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

TypeMap elementary(MPI_Datatype datatype) {
  TypeMap map;
  if (const PairType *pair = findPairType(datatype)) {
    map.append(0, pair->valueBytes);
    map.append(static_cast<std::int64_t>(pair->indexOffset), pair->indexBytes);
  } else {
    map.append(0, sizeOf(datatype));
  }
  map.finish(extentOf(datatype));
  return map;
}

/// Blocks of different lengths, \p unit bytes to each step of their displacements.
void appendIndexed(TypeMap &map, Numbers lengths, Numbers displacements, std::int64_t unit,
                   const TypeMap &child) {
  for (std::size_t i = 0; i < lengths.size() && !map.overfull(); ++i)
    map.appendBlocks(displacements[i] * unit, 1, lengths[i], 0, child);
}

void appendIndexedBlock(TypeMap &map, std::int64_t length, Numbers displacements, std::int64_t unit,
                        const TypeMap &child) {
  for (std::size_t i = 0; i < displacements.size() && !map.overfull(); ++i)
    map.appendBlocks(displacements[i] * unit, 1, length, 0, child);
}

std::optional<TypeMap> Decoder::decode(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL || depth_ == kMaxDepth)
    return std::nullopt;
  if (const std::uint64_t bytes = namedTypeBytes(datatype))
    return TypeMap::dense(bytes);
  const TypeContents contents(datatype);
  if (contents.combiner() == MPI_UNDEFINED)
    return std::nullopt;
  if (contents.isElementary())
    return elementary(datatype);
  TypeMap map;
  ++depth_;
  const bool understood = build(contents, map);
  --depth_;
  if (!understood || map.overfull())
    return std::nullopt;
  map.finish(extentOf(datatype));
  // MPI's own word for the size guards against a combiner that means something else here.
  if (map.size() != sizeOf(datatype))
    return std::nullopt;
  return map;
}

bool Decoder::build(const TypeContents &contents, TypeMap &map) {
  if (contents.combiner() == MPI_COMBINER_STRUCT ||
      contents.combiner() == MPI_COMBINER_STRUCT_INTEGER)
    return buildStruct(contents, map);
  if (contents.types().size() != 1)
    return false;
  const std::optional<TypeMap> child = decode(contents.types().front());
  return child && buildUniform(contents, *child, map);
}

bool Decoder::buildStruct(const TypeContents &contents, TypeMap &map) {
  const Numbers numbers = contents.numbers();
  const auto count = static_cast<std::size_t>(numbers[0]);
  const Numbers lengths = numbers.subspan(1, count);
  const Numbers displacements = numbers.subspan(1 + count, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (lengths[i] == 0)
      continue;
    const std::optional<TypeMap> child = decode(contents.types()[i]);
    if (!child || map.overfull())
      return false;
    map.appendBlocks(displacements[i], 1, lengths[i], 0, *child);
  }
  return true;
}

bool Decoder::buildUniform(const TypeContents &contents, const TypeMap &child, TypeMap &map) {
  const Numbers n = contents.numbers();
  const auto count = n.empty() ? 0 : static_cast<std::size_t>(n[0]);
  switch (contents.combiner()) {
  case MPI_COMBINER_DUP:
  case MPI_COMBINER_RESIZED: // the bounds are in the extent that MPI tells
    map.appendBlocks(0, 1, 1, 0, child);
    return true;
  case MPI_COMBINER_CONTIGUOUS:
    map.appendBlocks(0, 1, n[0], 0, child);
    return true;
  case MPI_COMBINER_VECTOR:
    map.appendBlocks(0, n[0], n[1], n[2] * child.extent(), child);
    return true;
  case MPI_COMBINER_HVECTOR:
  case MPI_COMBINER_HVECTOR_INTEGER:
    map.appendBlocks(0, n[0], n[1], n[2], child);
    return true;
  case MPI_COMBINER_INDEXED:
    appendIndexed(map, n.subspan(1, count), n.subspan(1 + count, count), child.extent(), child);
    return true;
  case MPI_COMBINER_HINDEXED:
  case MPI_COMBINER_HINDEXED_INTEGER:
    appendIndexed(map, n.subspan(1, count), n.subspan(1 + count, count), 1, child);
    return true;
  case MPI_COMBINER_INDEXED_BLOCK:
    appendIndexedBlock(map, n[1], n.subspan(2, count), child.extent(), child);
    return true;
  case MPI_COMBINER_HINDEXED_BLOCK:
    appendIndexedBlock(map, n[1], n.subspan(2, count), 1, child);
    return true;
  case MPI_COMBINER_SUBARRAY:
    appendSubarray(map, contents.subarray(), child);
    return true;
  case MPI_COMBINER_DARRAY:
    appendDarray(map, contents.darray(), child);
    return true;
  default:
    return false;
  }
}

} // namespace

std::optional<TypeMap> decodeDatatype(MPI_Datatype datatype) {
  try {
    return Decoder().decode(datatype);
  } catch (const std::bad_alloc &) {
    return std::nullopt; // a view that is too large for the memory there is, is not known
  }
}

} // namespace forerun
