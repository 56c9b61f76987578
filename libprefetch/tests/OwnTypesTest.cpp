// SPDX-License-Identifier: Apache-2.0
#include "types/OwnTypes.h"

#include "OnPreThread.h"
#include "RandomTypes.h"
#include "forerun/standins.h"
#include "mpi/StatusBytes.h"
#include "types/DatatypeDecoder.h"
#include "types/TypeContents.h"

#include <array>
#include <gtest/gtest.h>
#include <iostream>
#include <random>
#include <set>
#include <utility>
#include <vector>

/// \file
/// The pre-execution thread's own types, compared with MPI's.

namespace forerun {
namespace {

using test::RandomTypes;
using test::Type;

using Pieces = std::vector<std::pair<std::int64_t, std::uint64_t>>;

/// The bytes of three elements.
Pieces piecesOf(const TypeMap &map) {
  Pieces pieces;
  map.forEach(0, 3 * map.size(), [&](std::int64_t offset, std::uint64_t length) {
    pieces.emplace_back(offset, length);
    return true;
  });
  return pieces;
}

void expectSame(MPI_Datatype mpis, MPI_Datatype own) {
  const OwnTypes::Type *const type = ownTypes().find(own);
  ASSERT_NE(type, nullptr);
  ASSERT_TRUE(type->isKnown);
  const auto decoded = decodeDatatype(mpis);
  if (!decoded)
    FAIL() << "MPI's type cannot be decoded";
  MPI_Count lower = 0, extent = 0;
  MPI_Type_get_extent_c(mpis, &lower, &extent);
  ASSERT_EQ(type->bounds.lower, lower);
  ASSERT_EQ(type->bounds.extent(), extent);
  ASSERT_EQ(typeBytes(own), typeBytes(mpis));
  ASSERT_EQ(piecesOf(type->map), piecesOf(decoded->map));
}

/// The type of which \p datatype is one instance: MPICH treats both as the same.
MPI_Datatype onlyElement(MPI_Datatype datatype) {
  const TypeContents contents(datatype);
  const auto made = contents.constructor();
  const bool isOne =
      made.combiner == MPI_COMBINER_DUP ||
      (made.combiner == MPI_COMBINER_CONTIGUOUS && made.numbers[0] == 1) ||
      ((made.combiner == MPI_COMBINER_VECTOR || made.combiner == MPI_COMBINER_HVECTOR) &&
       made.numbers[0] == 1 && made.numbers[1] == 1);
  return isOne ? onlyElement(contents.types().front()) : datatype;
}

/// Whether MPICH treats all members of the struct as one type although their handles differ: it
/// then does not pad the struct, which cannot be known from outside.
bool isSecretlyOfOneType(const TypeContents &contents) {
  const auto types = contents.types();
  if (!contents.constructor().isStruct() || std::set(types.begin(), types.end()).size() == 1)
    return false;
  std::set<MPI_Datatype> elements;
  for (const MPI_Datatype each : types)
    elements.insert(onlyElement(each));
  return elements.size() == 1;
}

/// An own type with the constructor of \p mpis, made from own types or, if not \p deep, from MPI's.
MPI_Datatype remade(MPI_Datatype mpis, bool deep) {
  const TypeContents contents(mpis);
  if (contents.isElementary())
    return mpis;
  if (isSecretlyOfOneType(contents))
    return MPI_DATATYPE_NULL;
  std::vector<MPI_Datatype> children;
  for (const MPI_Datatype each : contents.types())
    children.push_back(deep ? remade(each, deep) : each);
  return ownTypes().make(contents.constructor(), children);
}

TEST(OwnTypes, RandomTypesAreWhatTheyAreInMpi) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  RandomTypes random(seed, RandomTypes::Use::Memory);
  int known = 0;
  constexpr int kTypes = 6000;
  for (int i = 0; i < kTypes; ++i) {
    const Type base = random.etype();
    const Type type = random.derived(base.get(), 5);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", type " << i << ' ' << type.describe());
    for (const bool deep : {false, true}) {
      const MPI_Datatype own = remade(type.get(), deep);
      const OwnTypes::Type *const found = ownTypes().find(own);
      if (found == nullptr || !found->isKnown) // elementary, or a struct that is not comparable
        continue;
      ++known;
      ASSERT_NO_FATAL_FAILURE(expectSame(type.get(), own));
    }
  }
  EXPECT_GT(known, kTypes);
}

#ifdef MPI_UB
/// Like expectSame, for the same struct made by MPI and by OwnTypes.
void expectSameStruct(const std::vector<int> &lengths, const std::vector<MPI_Aint> &displacements,
                      const std::vector<MPI_Datatype> &members) {
  const int count = static_cast<int>(members.size());
  MPI_Datatype mpis = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(count, lengths.data(), displacements.data(), members.data(), &mpis);
  std::vector<std::int64_t> numbers{count};
  numbers.insert(numbers.end(), lengths.begin(), lengths.end());
  numbers.insert(numbers.end(), displacements.begin(), displacements.end());
  expectSame(mpis, ownTypes().make({MPI_COMBINER_STRUCT, numbers}, members));
  MPI_Type_free(&mpis);
}

TEST(OwnTypes, MarkersOfBoundsSetThem) {
  expectSameStruct({1, 3, 1}, {0, 8, 64}, {MPI_LB, MPI_INT, MPI_UB});
  expectSameStruct({1, 3, 1}, {-16, 8, 64}, {MPI_LB, MPI_INT, MPI_UB});
  expectSameStruct({2, 3, 1}, {8, 40, 30}, {MPI_INT, MPI_DOUBLE, MPI_UB});
  MPI_Datatype vector = MPI_DATATYPE_NULL;
  MPI_Type_vector(5, 1, 2, MPI_INT, &vector);
  expectSameStruct({1, 1, 1}, {0, 4, 40}, {MPI_LB, vector, MPI_UB});
  MPI_Type_free(&vector);
}
#endif

TEST(OwnTypes, TheLeastRecentlyUsedAreForgotten) {
  const std::array<std::int64_t, 1> three = {3};
  const MPI_Datatype named = MPI_INT;
  const MPI_Datatype kept = ownTypes().make({MPI_COMBINER_CONTIGUOUS, three}, {&named, 1});
  const MPI_Datatype lost = ownTypes().make({MPI_COMBINER_DUP, {}}, {&kept, 1});
  for (std::size_t i = 0; i < 3 * OwnTypes::kMax; ++i)
    ownTypes().make({MPI_COMBINER_DUP, {}}, {&kept, 1});
  ASSERT_NE(ownTypes().find(kept), nullptr);
  EXPECT_EQ(typeBytes(kept), 12U);
  EXPECT_EQ(ownTypes().find(lost), nullptr);
  EXPECT_EQ(typeBytes(lost), 0U);
}

/// The types that MPI and the stand-in make from the same arguments.
template <class Mpis, class StandIn, class... Arguments>
void compare(Mpis mpis, StandIn standIn, Arguments... arguments) {
  MPI_Datatype real = MPI_DATATYPE_NULL, own = MPI_DATATYPE_NULL;
  ASSERT_EQ(mpis(arguments..., &real), MPI_SUCCESS);
  ASSERT_EQ(standIn(arguments..., &own), MPI_SUCCESS);
  expectSame(real, own);
  PMPI_Type_free(&real);
  EXPECT_EQ(forerun_pre_MPI_Type_commit(&own), MPI_SUCCESS);
  EXPECT_EQ(forerun_pre_MPI_Type_free(&own), MPI_SUCCESS);
  EXPECT_EQ(own, MPI_DATATYPE_NULL);
}

#define COMPARE(name, ...) compare(MPI_Type_##name, forerun_pre_MPI_Type_##name, __VA_ARGS__)

TEST(OwnTypes, EachConstructorHasItsArgumentsInTheirOrder) {
  const auto body = [] {
    const std::array<int, 3> lengths = {2, 0, 3}, places = {9, 1, 4}, sizes = {4, 5, 6},
                             parts = {2, 3, 1}, starts = {1, 2, 5}, processes = {2, 1, 3};
    const std::array<int, 3> how = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE,
                                    MPI_DISTRIBUTE_CYCLIC};
    const std::array<int, 3> dflt = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, 2};
    const std::array<MPI_Aint, 3> bytes = {64, 8, 16};
    const std::array<MPI_Count, 3> lengthsC = {2, 0, 3}, placesC = {9, 1, 4}, bytesC = {64, 8, 16},
                                   sizesC = {4, 5, 6}, partsC = {2, 3, 1}, startsC = {1, 2, 5};
    const std::array<MPI_Datatype, 3> types = {MPI_DOUBLE, MPI_CHAR, MPI_SHORT};
    COMPARE(contiguous, 7, MPI_DOUBLE);
    COMPARE(contiguous_c, MPI_Count{7}, MPI_DOUBLE);
    COMPARE(dup, MPI_DOUBLE);
    COMPARE(create_resized, MPI_INT, MPI_Aint{-3}, MPI_Aint{30});
    COMPARE(create_resized_c, MPI_INT, MPI_Count{-3}, MPI_Count{30});
    COMPARE(vector, 3, 2, 5, MPI_INT);
    COMPARE(vector_c, MPI_Count{3}, MPI_Count{2}, MPI_Count{5}, MPI_INT);
    COMPARE(create_hvector, 3, 2, MPI_Aint{-50}, MPI_INT);
    COMPARE(create_hvector_c, MPI_Count{3}, MPI_Count{2}, MPI_Count{50}, MPI_INT);
    COMPARE(indexed, 3, lengths.data(), places.data(), MPI_DOUBLE);
    COMPARE(indexed_c, MPI_Count{3}, lengthsC.data(), placesC.data(), MPI_DOUBLE);
    COMPARE(create_hindexed, 3, lengths.data(), bytes.data(), MPI_DOUBLE);
    COMPARE(create_hindexed_c, MPI_Count{3}, lengthsC.data(), bytesC.data(), MPI_DOUBLE);
    COMPARE(create_indexed_block, 3, 2, places.data(), MPI_INT);
    COMPARE(create_indexed_block_c, MPI_Count{3}, MPI_Count{2}, placesC.data(), MPI_INT);
    COMPARE(create_hindexed_block, 3, 2, bytes.data(), MPI_INT);
    COMPARE(create_hindexed_block_c, MPI_Count{3}, MPI_Count{2}, bytesC.data(), MPI_INT);
    COMPARE(create_struct, 3, lengths.data(), bytes.data(), types.data());
    COMPARE(create_struct_c, MPI_Count{3}, lengthsC.data(), bytesC.data(), types.data());
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
      COMPARE(create_subarray, 3, sizes.data(), parts.data(), starts.data(), order, MPI_INT);
      COMPARE(create_subarray_c, 3, sizesC.data(), partsC.data(), startsC.data(), order, MPI_INT);
      COMPARE(create_darray, 6, 4, 3, sizes.data(), how.data(), dflt.data(), processes.data(),
              order, MPI_INT);
      COMPARE(create_darray_c, 6, 4, 3, sizesC.data(), how.data(), dflt.data(), processes.data(),
              order, MPI_INT);
    }
  };
  EXPECT_EQ(onPreThread(body), kReturned);
}

TEST(OwnTypes, QuestionsAboutThemAreAnsweredWithoutMpi) {
  const auto body = [] {
    MPI_Datatype pair = MPI_DATATYPE_NULL, row = MPI_DATATYPE_NULL;
    forerun_pre_MPI_Type_vector(2, 1, 4, MPI_DOUBLE, &pair);
    forerun_pre_MPI_Type_create_resized(pair, -8, 80, &row);
    int size = 0, count = 0, elements = 0;
    MPI_Aint lower = 0, extent = 0;
    EXPECT_EQ(forerun_pre_MPI_Type_size(row, &size), MPI_SUCCESS);
    EXPECT_EQ(size, 16);
    EXPECT_EQ(forerun_pre_MPI_Type_get_extent(row, &lower, &extent), MPI_SUCCESS);
    EXPECT_EQ(lower, -8);
    EXPECT_EQ(extent, 80);
    MPI_Status status{};
    setStatusBytes(status, 40);
    EXPECT_EQ(forerun_pre_MPI_Get_count(&status, row, &count), MPI_SUCCESS);
    EXPECT_EQ(count, MPI_UNDEFINED);
    EXPECT_EQ(forerun_pre_MPI_Get_elements(&status, row, &elements), MPI_SUCCESS);
    EXPECT_EQ(elements, 5);
    setStatusBytes(status, 32);
    EXPECT_EQ(forerun_pre_MPI_Get_count(&status, row, &count), MPI_SUCCESS);
    EXPECT_EQ(count, 2);
  };
  EXPECT_EQ(onPreThread(body), kReturned);
}

// ---- types that are nested deep, or wide ----

/// A constructor, as MPI's function and as the pre-execution thread's, of one type.
struct Nesting {
  const char *name;
  int (*mpis)(MPI_Datatype, MPI_Datatype *);
  int (*own)(MPI_Datatype, MPI_Datatype *);
};

const std::array<int, 1> kOne = {1}, kNone = {0}, kHow = {MPI_DISTRIBUTE_BLOCK},
                         kDefault = {MPI_DISTRIBUTE_DFLT_DARG};
const std::array<MPI_Aint, 1> kStart = {0};

/// Both members are the same type, at the same place: as a tree, the type has 2^depth nodes.
template <class Make> int twice(const Make &make, MPI_Datatype type, MPI_Datatype *made) {
  const std::array<int, 2> lengths = {1, 1};
  const std::array<MPI_Datatype, 2> types = {type, type};
  const std::array<MPI_Aint, 2> places = {0, 0};
  return make(2, lengths.data(), places.data(), types.data(), made);
}

#define NESTING(name, ...)                                                                         \
  Nesting {                                                                                        \
    #name,                                                                                         \
        [](MPI_Datatype type, MPI_Datatype *made) { return MPI_Type_##name(__VA_ARGS__, made); },  \
        [](MPI_Datatype type, MPI_Datatype *made) {                                                \
          return forerun_pre_MPI_Type_##name(__VA_ARGS__, made);                                   \
        }                                                                                          \
  }

const std::array kNestings = {
    NESTING(dup, type),
    NESTING(contiguous, 1, type),
    NESTING(create_resized, type, 0, 4096),
    NESTING(vector, 1, 1, 1, type),
    NESTING(create_hvector, 1, 1, 64, type),
    NESTING(indexed, 1, kOne.data(), kNone.data(), type),
    NESTING(create_hindexed, 1, kOne.data(), kStart.data(), type),
    NESTING(create_hindexed_block, 1, 1, kStart.data(), type),
    NESTING(create_struct, 1, kOne.data(), kStart.data(), &type),
    NESTING(create_subarray, 1, kOne.data(), kOne.data(), kNone.data(), MPI_ORDER_C, type),
    NESTING(create_darray, 1, 0, 1, kOne.data(), kHow.data(), kDefault.data(), kOne.data(),
            MPI_ORDER_C, type),
};

/// \p type made \p depth times from itself. MPI keeps what is in use; own types need not be freed.
template <class Make> MPI_Datatype nested(MPI_Datatype type, int depth, const Make &make) {
  for (int i = 0; i < depth; ++i) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    EXPECT_EQ(make(type, &made), MPI_SUCCESS);
    if (!OwnTypes::mayBe(type) && type != MPI_INT)
      PMPI_Type_free(&type);
    type = made;
  }
  return type;
}

MPI_Datatype gappy(int blocks) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_vector(blocks, 4, 6, MPI_INT, &made);
  return made;
}

TEST(OwnTypes, TypesMayBeNestedAThousandLevelsDeep) {
  constexpr int kDepth = 1000;
  const auto body = [] {
    for (const Nesting &each : kNestings) {
      SCOPED_TRACE(each.name);
      MPI_Datatype mpis = nested(gappy(20), kDepth, each.mpis);
      expectSame(mpis, remade(mpis, false)); // taken apart
      MPI_Datatype base = MPI_DATATYPE_NULL;
      forerun_pre_MPI_Type_vector(20, 4, 6, MPI_INT, &base);
      expectSame(mpis, nested(base, kDepth, each.own)); // made level by level
      PMPI_Type_free(&mpis);
    }
  };
  EXPECT_EQ(onPreThread(body), kReturned);
}

TEST(OwnTypes, ATypeThatIsThereTwiceOnEachLevelIsVisitedOnce) {
  const auto struct2 = [](MPI_Datatype type, MPI_Datatype *made) {
    return twice(MPI_Type_create_struct, type, made);
  };
  MPI_Datatype deep = nested(MPI_INT, 30, struct2);
  const auto decoded = decodeDatatype(deep);
  ASSERT_TRUE(decoded.has_value());
  if (!decoded)
    return;
  EXPECT_EQ(decoded->map.size(), std::uint64_t{4} << 30);
  PMPI_Type_free(&deep);

  // The same bytes throughout: one piece, however many parts it is made of.
  const auto doubled = [](MPI_Datatype type, MPI_Datatype *made) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    const std::array<int, 2> lengths = {1, 1};
    const std::array<MPI_Datatype, 2> types = {type, type};
    const std::array<MPI_Aint, 2> places = {0, extent};
    return MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), made);
  };
  MPI_Datatype large = nested(MPI_INT, 40, doubled);
  const auto dense = decodeDatatype(large);
  ASSERT_TRUE(dense.has_value());
  if (!dense)
    return;
  EXPECT_TRUE(dense->map.isDense());
  EXPECT_EQ(dense->map.size(), std::uint64_t{4} << 40);
  EXPECT_EQ(dense->elementBytes, 4U);
  EXPECT_EQ(dense->alignment, 4);
  PMPI_Type_free(&large);
}

TEST(OwnTypes, AWideStructOfOneTypeTakesItApartOnce) {
  constexpr int kMembers = 10'000;
  MPI_Datatype member = nested(gappy(2000), 200, kNestings[0].mpis);
  const std::vector<int> lengths(kMembers, 0);
  std::vector<MPI_Aint> places(kMembers, 0);
  std::vector<MPI_Datatype> types(kMembers, member);
  std::vector<int> one = lengths;
  one.front() = 1;
  types.back() = MPI_CHAR; // else it counts as an hindexed type
  MPI_Datatype wide = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(kMembers, one.data(), places.data(), types.data(), &wide);
  const auto decoded = decodeDatatype(wide);
  ASSERT_TRUE(decoded.has_value());
  if (!decoded)
    return;
  EXPECT_EQ(decoded->map.size(), 2000U * 16);
  expectSame(wide, remade(wide, false));
  PMPI_Type_free(&wide);
  PMPI_Type_free(&member);
}

TEST(OwnTypes, TypesOfTheSameBytesShareTheirMemory) {
  OwnTypes types;
  const std::vector<std::int64_t> places = [] {
    std::vector<std::int64_t> numbers{50'000};
    numbers.insert(numbers.end(), 50'000, 1);
    for (std::int64_t i = 0; i < 50'000; ++i)
      numbers.push_back(i * (i + 7));
    return numbers;
  }();
  const MPI_Datatype element = MPI_INT;
  MPI_Datatype type = types.make({MPI_COMBINER_INDEXED, places}, {&element, 1});
  const MPI_Datatype first = type;
  const std::array<std::int64_t, 2> bounds = {0, 1 << 20};
  const std::array<std::int64_t, 1> one = {1};
  for (int i = 0; i < 1000; ++i) {
    type = types.make({MPI_COMBINER_RESIZED, bounds}, {&type, 1});
    type = types.make({MPI_COMBINER_CONTIGUOUS, one}, {&type, 1});
    type = types.make({MPI_COMBINER_DUP, {}}, {&type, 1});
  }
  ASSERT_NE(types.find(first), nullptr);
  ASSERT_NE(types.find(type), nullptr);
  EXPECT_EQ(types.find(type)->map.memory(), types.find(first)->map.memory());
  EXPECT_EQ(types.find(type)->bounds.extent(), 1 << 20);
  EXPECT_EQ(types.find(type)->map.size(), 200'000U);
}

TEST(OwnTypes, TheirMemoryIsBounded) {
  OwnTypes types;
  constexpr std::int64_t kPlaces = 200'000;
  constexpr int kTypes = 3 * static_cast<int>(OwnTypes::kMaxRuns / kPlaces);
  const MPI_Datatype element = MPI_CHAR;
  std::vector<MPI_Datatype> made;
  for (int k = 0; k < kTypes; ++k) {
    std::vector<std::int64_t> numbers{kPlaces, 1};
    for (std::int64_t i = 0; i < kPlaces; ++i)
      numbers.push_back(i * (i + 2) + k);
    made.push_back(types.make({MPI_COMBINER_INDEXED_BLOCK, numbers}, {&element, 1}));
  }
  std::size_t runs = 0;
  for (const MPI_Datatype each : made)
    runs += types.find(each) != nullptr ? types.find(each)->map.memoryRuns() : 0;
  EXPECT_LE(runs, OwnTypes::kMaxRuns);
  EXPECT_GT(runs, OwnTypes::kMaxRuns / 4);
  EXPECT_NE(types.find(made.back()), nullptr);
  EXPECT_EQ(types.find(made.front()), nullptr);
}

TEST(OwnTypes, WhatIsNotValidIsNoType) {
  const auto body = [] {
    const std::array<int, 2> sizes = {4, 4}, parts = {2, 3}, starts = {1, 2};
    MPI_Datatype made = MPI_INT;
    EXPECT_NE(forerun_pre_MPI_Type_contiguous(-1, MPI_INT, &made), MPI_SUCCESS);
    EXPECT_EQ(made, MPI_DATATYPE_NULL);
    EXPECT_NE(forerun_pre_MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made), MPI_SUCCESS);
    EXPECT_NE(forerun_pre_MPI_Type_contiguous(1, MPI_DATATYPE_NULL + 77, &made), MPI_SUCCESS);
    EXPECT_NE(forerun_pre_MPI_Type_indexed(-3, sizes.data(), parts.data(), MPI_INT, &made),
              MPI_SUCCESS);
    EXPECT_NE(forerun_pre_MPI_Type_create_subarray(2, sizes.data(), parts.data(), starts.data(),
                                                   MPI_ORDER_C, MPI_INT, &made),
              MPI_SUCCESS);
    EXPECT_EQ(made, MPI_DATATYPE_NULL);
  };
  EXPECT_EQ(onPreThread(body), kReturned);
}

} // namespace
} // namespace forerun
