// SPDX-License-Identifier: Apache-2.0
#include "RandomTypes.h"

#include "types/TypeContents.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>

namespace forerun::test {

namespace {

constexpr std::int64_t kMaxBytes = 1 << 14;  ///< of data in a generated datatype
constexpr std::int64_t kMaxExtent = 1 << 16; ///< from its first to its last byte

template <typename To> std::vector<To> as(const std::vector<std::int64_t> &values) {
  return {values.begin(), values.end()};
}

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::string description(MPI_Datatype datatype) {
  static const std::array<const char *, 20> kNames = {
      "?",       "named",         "dup",    "contiguous", "vector",        "?",
      "hvector", "indexed",       "?",      "hindexed",   "indexed_block", "?",
      "struct",  "subarray",      "darray", "f90_real",   "f90_complex",   "f90_integer",
      "resized", "hindexed_block"};
  const TypeContents contents(datatype);
  std::ostringstream text;
  text << kNames[static_cast<std::size_t>(contents.combiner())] << '(';
  if (contents.isElementary()) {
    int size = 0;
    MPI_Type_size(datatype, &size);
    text << size;
  }
  for (const std::int64_t number : contents.constructor().numbers)
    text << number << ' ';
  for (const MPI_Datatype child : contents.types())
    text << description(child);
  text << ')';
  return text.str();
}

} // namespace

Type::~Type() {
  if (datatype_ == MPI_DATATYPE_NULL)
    return;
  int combiner = 0;
  MPI_Count integers = 0;
  MPI_Count addresses = 0;
  MPI_Count counts = 0;
  MPI_Count datatypes = 0;
  PMPI_Type_get_envelope_c(datatype_, &integers, &addresses, &counts, &datatypes, &combiner);
  if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
      combiner != MPI_COMBINER_F90_INTEGER)
    PMPI_Type_free(&datatype_);
}

std::int64_t Type::size() const {
  MPI_Count size = 0;
  MPI_Type_size_c(datatype_, &size);
  return size;
}

std::int64_t Type::extent() const {
  MPI_Count lowerBound = 0;
  MPI_Count extent = 0;
  MPI_Type_get_extent_c(datatype_, &lowerBound, &extent);
  return extent;
}

std::int64_t Type::trueLowerBound() const {
  MPI_Count lowerBound = 0;
  MPI_Count extent = 0;
  MPI_Type_get_true_extent_c(datatype_, &lowerBound, &extent);
  return lowerBound;
}

std::int64_t Type::trueUpperBound() const {
  MPI_Count lowerBound = 0;
  MPI_Count extent = 0;
  MPI_Type_get_true_extent_c(datatype_, &lowerBound, &extent);
  return lowerBound + extent;
}

std::string Type::describe() const { return description(datatype_); }

bool Type::tiles() const { return extent() >= trueUpperBound() - trueLowerBound(); }

std::int64_t RandomTypes::from(std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
}

Type RandomTypes::etype() {
  static const std::array<MPI_Datatype, 8> kNamed = {MPI_BYTE,  MPI_CHAR,   MPI_SHORT, MPI_INT,
                                                     MPI_FLOAT, MPI_DOUBLE, MPI_LONG,  MPI_2INT};
  const MPI_Datatype named = kNamed[static_cast<std::size_t>(upTo(kNamed.size() - 1))];
  MPI_Datatype type = named;
  if (inMemory() && upTo(5) == 0) {
    static const std::array<MPI_Datatype, 4> kGapped = {MPI_SHORT_INT, MPI_DOUBLE_INT, MPI_LONG_INT,
                                                        MPI_LONG_DOUBLE_INT};
    return Type(kGapped[static_cast<std::size_t>(upTo(kGapped.size() - 1))]);
  }
  if (inMemory() && upTo(9) == 0) {
    if (upTo(1) == 0)
      MPI_Type_create_f90_real(6, 30, &type);
    else
      MPI_Type_create_f90_integer(8, &type);
    return Type(type);
  }
  if (upTo(3) == 0) {
    MPI_Type_contiguous(static_cast<int>(from(1, 3)), named, &type);
    MPI_Type_commit(&type);
  }
  return Type(type);
}

Type RandomTypes::derived(MPI_Datatype base, int depth) {
  MPI_Datatype start = MPI_DATATYPE_NULL;
  MPI_Type_dup(base, &start);
  Type type(start);
  unit_ = inMemory() ? 1 : type.extent();
  for (int level = static_cast<int>(from(1, depth)); level > 0; --level) {
    Type outer = constructed(type);
    if (!outer.tiles()) {
      MPI_Datatype stretched = MPI_DATATYPE_NULL;
      MPI_Type_create_resized(outer.get(), 0, roundUp(outer.trueUpperBound(), unit_), &stretched);
      outer = Type(stretched);
    }
    const std::int64_t span = outer.trueUpperBound() - outer.trueLowerBound();
    if (!outer.tiles() || outer.size() > kMaxBytes || span > kMaxExtent ||
        outer.extent() > kMaxExtent)
      break;
    type = std::move(outer);
  }
  MPI_Datatype committed = type.get();
  MPI_Type_commit(&committed);
  return type;
}

Type RandomTypes::constructed(const Type &child) {
  const std::int64_t choice = upTo(11);
  switch (choice) {
  case 0:
    return indexed(child);
  case 1:
    return hindexed(child);
  case 2:
    return indexedBlock(child);
  case 3:
    return hindexedBlock(child);
  case 4:
    return structure(child);
  case 5:
    return contiguous(child);
  case 6:
    return vector(child);
  case 7:
    return hvector(child);
  case 9:
    return subarray(child);
  case 10:
    return darray(child);
  case 11:
    return resized(child);
  default:
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_dup(child.get(), &type);
    return Type(type);
  }
}

Type RandomTypes::contiguous(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(from(1, 4));
  if (large())
    MPI_Type_contiguous_c(count, child.get(), &type);
  else
    MPI_Type_contiguous(count, child.get(), &type);
  return Type(type);
}

Type RandomTypes::vector(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(from(1, 5));
  const auto length = static_cast<int>(from(1, 3));
  auto stride = static_cast<int>(length + upTo(3));
  if (inMemory() && upTo(3) == 0)
    stride = -stride;
  if (large())
    MPI_Type_vector_c(count, length, stride, child.get(), &type);
  else
    MPI_Type_vector(count, length, stride, child.get(), &type);
  return Type(type);
}

Type RandomTypes::hvector(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(from(1, 5));
  const auto length = static_cast<int>(from(1, 3));
  const std::int64_t stride = length * child.extent() + upTo(9) * unit_;
  if (large())
    MPI_Type_create_hvector_c(count, length, stride, child.get(), &type);
  else
    MPI_Type_create_hvector(count, length, stride, child.get(), &type);
  return Type(type);
}

/// Blocks that do not overlap; \p unit is what displacements count, \p extent one element in it.
RandomTypes::Blocks RandomTypes::blocks(std::int64_t unit, std::int64_t extent, bool sameLength) {
  Blocks made;
  std::int64_t at = inMemory() ? from(-8, 8) * unit : upTo(3) * unit;
  const std::int64_t length = from(1, 3);
  for (std::int64_t i = from(1, 5); i > 0; --i) {
    made.lengths.push_back(sameLength ? length : upTo(3));
    made.displacements.push_back(at);
    at += made.lengths.back() * extent + upTo(3) * unit;
  }
  if (inMemory()) {
    std::vector<std::size_t> order(made.lengths.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    Blocks shuffled;
    for (const std::size_t i : order) {
      shuffled.lengths.push_back(made.lengths[i]);
      shuffled.displacements.push_back(made.displacements[i]);
    }
    return shuffled;
  }
  return made;
}

Type RandomTypes::indexed(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const Blocks b = blocks(1, 1, false);
  const auto count = static_cast<int>(b.lengths.size());
  if (large())
    MPI_Type_indexed_c(count, as<MPI_Count>(b.lengths).data(),
                       as<MPI_Count>(b.displacements).data(), child.get(), &type);
  else
    MPI_Type_indexed(count, as<int>(b.lengths).data(), as<int>(b.displacements).data(), child.get(),
                     &type);
  return Type(type);
}

Type RandomTypes::hindexed(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const Blocks b = blocks(unit_, child.extent(), false);
  const auto count = static_cast<int>(b.lengths.size());
  if (large())
    MPI_Type_create_hindexed_c(count, as<MPI_Count>(b.lengths).data(),
                               as<MPI_Count>(b.displacements).data(), child.get(), &type);
  else
    MPI_Type_create_hindexed(count, as<int>(b.lengths).data(), as<MPI_Aint>(b.displacements).data(),
                             child.get(), &type);
  return Type(type);
}

Type RandomTypes::indexedBlock(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const Blocks b = blocks(1, 1, true);
  const auto count = static_cast<int>(b.lengths.size());
  const auto length = static_cast<int>(b.lengths[0]);
  if (large())
    MPI_Type_create_indexed_block_c(count, length, as<MPI_Count>(b.displacements).data(),
                                    child.get(), &type);
  else
    MPI_Type_create_indexed_block(count, length, as<int>(b.displacements).data(), child.get(),
                                  &type);
  return Type(type);
}

Type RandomTypes::hindexedBlock(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const Blocks b = blocks(unit_, child.extent(), true);
  const auto count = static_cast<int>(b.lengths.size());
  const auto length = static_cast<int>(b.lengths[0]);
  if (large())
    MPI_Type_create_hindexed_block_c(count, length, as<MPI_Count>(b.displacements).data(),
                                     child.get(), &type);
  else
    MPI_Type_create_hindexed_block(count, length, as<MPI_Aint>(b.displacements).data(), child.get(),
                                   &type);
  return Type(type);
}

/// Blocks of \p child and of types made of it.
Type RandomTypes::structure(const Type &child) {
  std::vector<Type> others;
  std::vector<MPI_Datatype> types;
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> displacements;
  std::int64_t end = upTo(3) * unit_;
  for (std::int64_t i = from(1, 4); i > 0; --i) {
    others.push_back(upTo(1) == 0 ? vector(child) : contiguous(child));
    const Type &other = others.back();
    if (!other.tiles() || (!inMemory() && other.trueLowerBound() < 0))
      continue;
    const std::int64_t length = upTo(2);
    const std::int64_t at =
        std::max<std::int64_t>(0, end - other.trueLowerBound()) + upTo(2) * unit_;
    types.push_back(other.get());
    lengths.push_back(length);
    displacements.push_back(at);
    if (length > 0)
      end = at + (length - 1) * other.extent() + other.trueUpperBound();
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const auto count = static_cast<int>(types.size());
  if (large())
    MPI_Type_create_struct_c(count, as<MPI_Count>(lengths).data(),
                             as<MPI_Count>(displacements).data(), types.data(), &type);
  else
    MPI_Type_create_struct(count, as<int>(lengths).data(), as<MPI_Aint>(displacements).data(),
                           types.data(), &type);
  return Type(type);
}

Type RandomTypes::subarray(const Type &child) {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> subsizes;
  std::vector<std::int64_t> starts;
  const auto dimensions = static_cast<int>(from(1, 4));
  for (int d = 0; d < dimensions; ++d) {
    sizes.push_back(from(1, 5));
    subsizes.push_back(from(1, sizes.back()));
    starts.push_back(upTo(sizes.back() - subsizes.back()));
  }
  const int order = upTo(1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (large())
    MPI_Type_create_subarray_c(dimensions, as<MPI_Count>(sizes).data(),
                               as<MPI_Count>(subsizes).data(), as<MPI_Count>(starts).data(), order,
                               child.get(), &type);
  else
    MPI_Type_create_subarray(dimensions, as<int>(sizes).data(), as<int>(subsizes).data(),
                             as<int>(starts).data(), order, child.get(), &type);
  return Type(type);
}

Type RandomTypes::darray(const Type &child) {
  std::vector<std::int64_t> sizes;
  std::vector<int> distributions;
  std::vector<int> arguments;
  std::vector<int> processes;
  const auto dimensions = static_cast<int>(from(1, 3));
  int ranks = 1;
  for (int d = 0; d < dimensions; ++d) {
    sizes.push_back(from(1, 9));
    distributions.push_back(std::array{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                       MPI_DISTRIBUTE_NONE}[static_cast<std::size_t>(upTo(2))]);
    const bool none = distributions.back() == MPI_DISTRIBUTE_NONE;
    processes.push_back(none ? 1 : static_cast<int>(from(1, 4)));
    const std::int64_t least = (sizes.back() + processes.back() - 1) / processes.back();
    const bool block = distributions.back() == MPI_DISTRIBUTE_BLOCK;
    arguments.push_back(none || upTo(1) == 0
                            ? MPI_DISTRIBUTE_DFLT_DARG
                            : static_cast<int>(from(block ? least : 1, least + 2)));
    ranks *= processes.back();
  }
  const auto rank = static_cast<int>(upTo(ranks - 1));
  const int order = upTo(1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (large())
    MPI_Type_create_darray_c(ranks, rank, dimensions, as<MPI_Count>(sizes).data(),
                             distributions.data(), arguments.data(), processes.data(), order,
                             child.get(), &type);
  else
    MPI_Type_create_darray(ranks, rank, dimensions, as<int>(sizes).data(), distributions.data(),
                           arguments.data(), processes.data(), order, child.get(), &type);
  return Type(type);
}

Type RandomTypes::resized(const Type &child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const std::int64_t lowerBound = from(-2, 2) * unit_;
  const std::int64_t span = child.trueUpperBound() - child.trueLowerBound();
  const std::int64_t extent = roundUp(span, unit_) + upTo(4) * unit_;
  if (large())
    MPI_Type_create_resized_c(child.get(), lowerBound, extent, &type);
  else
    MPI_Type_create_resized(child.get(), lowerBound, extent, &type);
  return Type(type);
}

} // namespace forerun::test
