// SPDX-License-Identifier: Apache-2.0
#include "types/DatatypeDecoder.h"

#include "base/MpiGate.h"
#include "mpi/LargeCounts.h"
#include "types/NamedTypes.h"
#include "types/OwnTypes.h"
#include "types/TypeBounds.h"
#include "types/TypeContents.h"

#include <algorithm>
#include <deque>
#include <map>
#include <new>
#include <utility>
#include <vector>

namespace forerun {

namespace {

std::int64_t extentOf(MPI_Datatype datatype) {
  const InMpi inMpi;
  MPI_Count lowerBound = 0;
  MPI_Count extent = 0;
  typeExtent(datatype, &lowerBound, &extent);
  return extent;
}

std::uint64_t sizeOf(MPI_Datatype datatype) {
  const InMpi inMpi;
  MPI_Count size = 0;
  typeSize(datatype, &size);
  return size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

DecodedType elementary(MPI_Datatype datatype) {
  DecodedType type;
  type.alignment = TypeBounds::kUnknown;
  if (const PairType *pair = findPairType(datatype)) {
    type.map.append(0, pair->valueBytes);
    type.map.append(static_cast<std::int64_t>(pair->indexOffset), pair->indexBytes);
    type.alignment = pair->alignment;
  } else {
    type.map.append(0, sizeOf(datatype));
  }
  type.map.finish(extentOf(datatype));
  return type;
}

class Decoder {
public:
  std::optional<DecodedType> decode(MPI_Datatype datatype);

private:
  using Decoded = std::optional<DecodedType>;

  /// A type whose parts are being visited.
  struct Open {
    explicit Open(MPI_Datatype theType) : type(theType), contents(theType) {}
    MPI_Datatype type;
    TypeContents contents;
    std::size_t next = 0; ///< part
  };
  /// In steps of a TypeMap, which take some nanoseconds: what MPI takes for its answers.
  static constexpr std::uint64_t kStepsOfType = 128;

  void visit(MPI_Datatype datatype);
  Decoded decodeLeaf(MPI_Datatype datatype) const;
  Decoded build(const Open &open);
  bool isTooMuch() const { return steps_ > TypeMap::kMaxSteps; }

  /// Those whose parts have been visited; nothing: it is unknown. The types inside a type live as
  /// long as it does, so no handle comes to mean another type meanwhile.
  std::map<MPI_Datatype, Decoded> visited_;
  std::deque<Open> open_; ///< from the outermost
  std::uint64_t steps_ = 0;
};

Decoder::Decoded Decoder::decode(MPI_Datatype datatype) {
  visit(datatype);
  while (!open_.empty()) {
    Open &open = open_.back();
    if (isTooMuch())
      return std::nullopt;
    if (open.next < open.contents.types().size()) {
      visit(open.contents.types()[open.next++]);
    } else {
      visited_[open.type] = build(open);
      open_.pop_back();
    }
  }
  return std::move(visited_.at(datatype));
}

/// Either it is known afterwards, or it has been opened.
void Decoder::visit(MPI_Datatype datatype) {
  ++steps_;
  if (visited_.count(datatype) != 0)
    return;
  if (datatype == MPI_DATATYPE_NULL || namedTypeBytes(datatype) != 0 || OwnTypes::mayBe(datatype)) {
    visited_[datatype] = decodeLeaf(datatype);
    return;
  }
  const Open &open = open_.emplace_back(datatype);
  steps_ += kStepsOfType + open.contents.constructor().numbers.size();
  if (open.contents.combiner() != MPI_UNDEFINED && !open.contents.isElementary())
    return;
  visited_[datatype] = open.contents.isElementary() ? Decoded(elementary(datatype)) : std::nullopt;
  open_.pop_back();
}

Decoder::Decoded Decoder::decodeLeaf(MPI_Datatype datatype) const {
  if (const std::uint64_t bytes = namedTypeBytes(datatype))
    return DecodedType{TypeMap::dense(bytes), bytes, namedTypeAlignment(datatype)};
  const OwnTypes::Type *const own = OwnTypes::mayBe(datatype) ? ownTypes().find(datatype) : nullptr;
  return own != nullptr && own->isKnown
             ? Decoded({own->map, own->elementBytes, own->bounds.alignment})
             : std::nullopt;
}

/// Of visited parts. Members of a struct that have zero elements may be anything.
Decoder::Decoded Decoder::build(const Open &open) {
  const TypeConstructor made = open.contents.constructor();
  const auto types = open.contents.types();
  if (types.empty() || (!made.isStruct() && types.size() != 1))
    return std::nullopt;
  DecodedType type;
  std::vector<const TypeMap *> children(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    const Decoded &child = visited_.at(types[i]);
    if (!child && !(made.isStruct() && made.blocks().length(i) == 0))
      return std::nullopt;
    const bool isKnown =
        child && type.alignment != TypeBounds::kUnknown && child->alignment != TypeBounds::kUnknown;
    type.alignment = isKnown ? std::max(type.alignment, child->alignment) : TypeBounds::kUnknown;
    const std::uint64_t each = child ? child->elementBytes : 0;
    type.elementBytes = i == 0 || type.elementBytes == each ? each : 0;
    children[i] = child ? &child->map : nullptr;
  }
  const bool understood = appendConstructed(type.map, made, children);
  steps_ += type.map.steps();
  if (!understood || type.map.overfull())
    return std::nullopt;
  type.map.finish(extentOf(open.type));
  // MPI's own size guards against a combiner that means something else here.
  if (type.map.size() != sizeOf(open.type))
    return std::nullopt;
  return type;
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

std::optional<DecodedType> decodeDatatype(MPI_Datatype datatype) {
  try {
    return Decoder().decode(datatype);
  } catch (const std::bad_alloc &) {
    return std::nullopt; // a view that is too large for the available memory is unknown
  }
}

} // namespace forerun
