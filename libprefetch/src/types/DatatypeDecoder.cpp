// SPDX-License-Identifier: Apache-2.0
#include "types/DatatypeDecoder.h"

#include "types/NamedTypes.h"
#include "types/OwnTypes.h"
#include "types/TypeContents.h"

#include <new>
#include <utility>
#include <vector>

namespace forerun {

namespace {

constexpr int kMaxDepth = 256; ///< nesting of constructors

class Decoder {
public:
  std::optional<TypeMap> decode(MPI_Datatype datatype);

private:
  bool build(const TypeContents &contents, TypeMap &map);

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

std::optional<TypeMap> Decoder::decode(MPI_Datatype datatype) {
  if (datatype == MPI_DATATYPE_NULL || depth_ == kMaxDepth)
    return std::nullopt;
  if (const std::uint64_t bytes = namedTypeBytes(datatype))
    return TypeMap::dense(bytes);
  if (OwnTypes::mayBe(datatype)) {
    const OwnTypes::Type *const own = ownTypes().find(datatype);
    return own != nullptr && own->isKnown ? std::optional(own->map) : std::nullopt;
  }
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
  // MPI's own size guards against a combiner that means something else here.
  if (map.size() != sizeOf(datatype))
    return std::nullopt;
  return map;
}

/// Members of a struct that have zero elements may be anything.
bool Decoder::build(const TypeContents &contents, TypeMap &map) {
  const TypeConstructor made = contents.constructor();
  if (!made.isStruct() && contents.types().size() != 1)
    return false;
  std::vector<TypeMap> children(contents.types().size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (made.isStruct() && made.blocks().length(i) == 0)
      continue;
    std::optional<TypeMap> child = decode(contents.types()[i]);
    if (!child)
      return false;
    children[i] = std::move(*child);
  }
  return appendConstructed(map, made, children);
}

} // namespace

std::uint64_t typeBytes(MPI_Datatype datatype) {
  if (const std::uint64_t bytes = namedTypeBytes(datatype))
    return bytes;
  if (datatype == MPI_DATATYPE_NULL)
    return 0;
  if (!OwnTypes::mayBe(datatype))
    return sizeOf(datatype);
  const OwnTypes::Type *const own = ownTypes().find(datatype);
  return own != nullptr && own->isKnown ? own->map.size() : 0;
}

std::optional<TypeMap> decodeDatatype(MPI_Datatype datatype) {
  try {
    return Decoder().decode(datatype);
  } catch (const std::bad_alloc &) {
    return std::nullopt; // a view that is too large for the available memory is unknown
  }
}

} // namespace forerun
