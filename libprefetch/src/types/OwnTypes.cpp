// SPDX-License-Identifier: Apache-2.0
#include "types/OwnTypes.h"

#include "base/MpiGate.h"
#include "mpi/LargeCounts.h"
#include "mpi/Mpi1.h"
#include "types/DatatypeDecoder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace forerun {
namespace {

using Numbers = std::span<const std::int64_t>;

/// Small enough that computations with it do not overflow.
bool isCount(std::int64_t number) {
  return number >= 0 && number <= std::numeric_limits<std::int64_t>::max() / 2;
}

bool areCounts(Numbers numbers) { return std::all_of(numbers.begin(), numbers.end(), isCount); }

bool isValid(const TypeConstructor::Subarray &array) {
  for (std::size_t d = 0; d < array.sizes.size(); ++d)
    if (array.sizes[d] < 1 || array.subsizes[d] < 1 || array.starts[d] < 0 ||
        array.subsizes[d] > array.sizes[d] - array.starts[d])
      return false;
  return !array.sizes.empty();
}

bool isValid(const TypeConstructor::Darray &array) {
  std::int64_t processes = 1;
  for (std::size_t d = 0; d < array.globalSizes.size(); ++d) {
    if (array.globalSizes[d] < 1 || array.processes[d] < 1 ||
        (array.arguments[d] < 1 && array.arguments[d] != MPI_DISTRIBUTE_DFLT_DARG))
      return false;
    processes *= array.processes[d];
    if (processes > array.size)
      return false;
  }
  return !array.globalSizes.empty() && processes == array.size && array.rank >= 0 &&
         array.rank < array.size;
}

bool isValid(const TypeConstructor &made) {
  if (made.hasBlocks())
    return areCounts(made.blocks().lengths);
  switch (made.combiner) {
  case MPI_COMBINER_SUBARRAY:
    return isValid(made.subarray());
  case MPI_COMBINER_DARRAY:
    return isValid(made.darray());
  case MPI_COMBINER_CONTIGUOUS:
    return areCounts(made.numbers);
  case MPI_COMBINER_VECTOR:
  case MPI_COMBINER_HVECTOR:
    return areCounts(made.numbers.first(2));
  default:
    return true;
  }
}

TypeBounds boundsInMpi(MPI_Datatype datatype, std::int64_t alignment) {
  const InMpi inMpi;
  MPI_Count lower = 0, extent = 0;
  typeExtent(datatype, &lower, &extent);
  return {lower, lower + extent, alignment};
}

/// MPICH does not treat a struct of only one type as a struct: it is not padded.
bool isHindexed(const TypeConstructor &made, std::span<const MPI_Datatype> children) {
  return made.isStruct() && !children.empty() &&
         std::ranges::all_of(children, [&](MPI_Datatype each) { return each == children[0]; });
}

} // namespace

bool isMarker(MPI_Datatype type) { return isLowerMarker(type) || isUpperMarker(type); }

OwnTypes::Type OwnTypes::decoded(MPI_Datatype mpis) {
  std::optional<DecodedType> type = decodeDatatype(mpis);
  if (!type)
    return {};
  return {std::move(type->map), boundsInMpi(mpis, type->alignment), type->elementBytes, true};
}

OwnTypes::Type OwnTypes::made(const TypeConstructor &made, std::span<const MPI_Datatype> children) {
  std::map<MPI_Datatype, Type> mpis; // one may be there many times, and is decoded once
  std::vector<const TypeMap *> maps;
  std::vector<TypeBounds> bounds;
  Type type;
  for (const MPI_Datatype each : children) {
    const Type *child = find(each);
    if (child == nullptr) {
      const auto known = mpis.find(each);
      child = &(known != mpis.end() ? known : mpis.emplace(each, decoded(each)).first)->second;
    }
    if (!child->isKnown)
      return {};
    const bool isSame = maps.empty() || type.elementBytes == child->elementBytes;
    type.elementBytes = isSame ? child->elementBytes : 0;
    type.isMarked |= child->isMarked;
    maps.push_back(&child->map);
    bounds.push_back(child->bounds);
  }
  const bool isMade = appendConstructed(type.map, made, maps);
  type.bounds = type.map.hasData() ? boundsOf(made, bounds) : boundsOfEmpty(made, bounds);
  type.map.finish(type.bounds.extent());
  type.isKnown =
      isMade && !type.map.overfull() &&
      (!made.isStruct() || (type.bounds.alignment != TypeBounds::kUnknown && !type.isMarked));
  if (type.map.overfull())
    type.map = {};
  return type;
}

OwnTypes::Type OwnTypes::structOrBlocks(const TypeConstructor &constructor,
                                        std::span<const MPI_Datatype> children) {
  return isHindexed(constructor, children)
             ? made({MPI_COMBINER_HINDEXED, constructor.numbers}, children.first(1))
             : made(constructor, children);
}

/// A struct with markers is that without them, resized. Of a lower bound alone it is not known what
/// becomes of the padding.
OwnTypes::Type OwnTypes::marked(const TypeConstructor &constructor,
                                std::span<const MPI_Datatype> children) {
  const auto blocks = constructor.blocks();
  std::vector<std::int64_t> lengths, displacements, lower, upper;
  std::vector<MPI_Datatype> members;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (isLowerMarker(children[i])) {
      lower.push_back(blocks.displacements[i]);
    } else if (isUpperMarker(children[i])) {
      upper.push_back(blocks.displacements[i]);
    } else {
      lengths.push_back(blocks.length(i));
      displacements.push_back(blocks.displacements[i]);
      members.push_back(children[i]);
    }
  }
  if (members.empty() || upper.empty())
    return {};
  std::vector<std::int64_t> numbers{static_cast<std::int64_t>(members.size())};
  numbers.insert(numbers.end(), lengths.begin(), lengths.end());
  numbers.insert(numbers.end(), displacements.begin(), displacements.end());
  const MPI_Datatype inner = keep(structOrBlocks({MPI_COMBINER_STRUCT, numbers}, members));
  const std::int64_t begin =
      lower.empty() ? find(inner)->bounds.lower : *std::ranges::min_element(lower);
  const std::array bounds{begin, *std::ranges::max_element(upper) - begin};
  Type type = made({MPI_COMBINER_RESIZED, bounds}, {&inner, 1});
  type.isMarked = true;
  return type;
}

MPI_Datatype OwnTypes::keep(Type type) {
  if (types_.size() == kMax)
    forgetHalf();
  mostRuns_ += type.map.memoryRuns();
  const MPI_Datatype handle = ownHandle(next_++);
  types_[handle] = {std::move(type), ++uses_};
  // It is counted as if no two types shared their runs, and exactly only where that would be too many.
  if (mostRuns_ > kMaxRuns)
    mostRuns_ = countRuns();
  while (mostRuns_ > kMaxRuns && types_.size() > 1) {
    forgetHalf();
    mostRuns_ = countRuns();
  }
  return handle;
}

std::size_t OwnTypes::countRuns() const {
  std::set<const void *> counted;
  std::size_t runs = 0;
  for (const auto &[datatype, kept] : types_)
    if (counted.insert(kept.type.map.memory()).second)
      runs += kept.type.map.memoryRuns();
  return runs;
}

MPI_Datatype OwnTypes::make(const TypeConstructor &constructor,
                            std::span<const MPI_Datatype> children) {
  if (!isValid(constructor) || next_ >= kMaxOwnHandles)
    return MPI_DATATYPE_NULL;
  const bool hasMarkers = constructor.isStruct() && std::ranges::any_of(children, isMarker);
  return keep(hasMarkers ? marked(constructor, children) : structOrBlocks(constructor, children));
}

const OwnTypes::Type *OwnTypes::find(MPI_Datatype datatype) {
  const auto found = mayBe(datatype) ? types_.find(datatype) : types_.end();
  if (found == types_.end())
    return nullptr;
  found->second.lastUse = ++uses_;
  return &found->second.type;
}

void OwnTypes::forgetHalf() {
  std::vector<std::uint64_t> uses;
  uses.reserve(types_.size());
  for (const auto &[datatype, kept] : types_)
    uses.push_back(kept.lastUse);
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::nth_element(uses.begin(), middle, uses.end());
  std::erase_if(types_, [&](const auto &each) { return each.second.lastUse < *middle; });
}

OwnTypes &ownTypes() {
  static OwnTypes &types = *new OwnTypes; // never destroyed: the thread may be ended anywhere
  return types;
}

} // namespace forerun
