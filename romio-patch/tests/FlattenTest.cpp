// SPDX-License-Identifier: Apache-2.0
// Datatypes that stock ROMIO lays out wrongly (and one that glue/contiguous.c could), as views and
// as memory. The reference is MPI itself, when it unpacks them: ROMIO does not ask it, but flattens
// datatypes to lists of blocks.
#include "MpiTest.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace forerun::test {
namespace {

constexpr int kFileBytes = 1024;
constexpr int kInstances = 3;

/// A datatype that is freed with the object.
class Derived {
public:
  explicit Derived(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  ~Derived() { MPI_Type_free(&type_); }
  Derived(const Derived &) = delete;
  Derived &operator=(const Derived &) = delete;
  operator MPI_Datatype() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

MPI_Datatype vectorOf(int count, int length, int stride, MPI_Datatype child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(count, length, stride, child, &type);
  return type;
}

MPI_Datatype resizedTo(MPI_Aint lowerBound, MPI_Aint extent, MPI_Datatype child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(child, lowerBound, extent, &type);
  return type;
}

/// \p child with the bounds of \p like.
MPI_Datatype boundedAs(MPI_Datatype like, MPI_Datatype child) {
  MPI_Aint lowerBound = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(like, &lowerBound, &extent);
  return resizedTo(lowerBound, extent, child);
}

MPI_Datatype indexed(std::initializer_list<int> lengths, std::initializer_list<int> displacements,
                     MPI_Datatype child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(int(lengths.size()), lengths.begin(), displacements.begin(), child, &type);
  return type;
}

MPI_Datatype hindexed(std::initializer_list<int> lengths,
                      std::initializer_list<MPI_Aint> displacements, MPI_Datatype child) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(int(lengths.size()), lengths.begin(), displacements.begin(), child,
                           &type);
  return type;
}

MPI_Datatype structOf(std::initializer_list<int> lengths,
                      std::initializer_list<MPI_Aint> displacements,
                      std::initializer_list<MPI_Datatype> children) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(int(lengths.size()), lengths.begin(), displacements.begin(),
                         children.begin(), &type);
  return type;
}

/// Several instances of \p type end to end, through MPI-IO and through MPI, in one process by
/// itself. MPI unpacks \p same where it cannot unpack the type itself: types with empty parts
/// divide by zero in MPICH.
void expectLaidAsMpiUnpacks(MPI_Datatype type, MPI_Datatype same) {
  const TestFile file(kFileBytes);
  if (rank() != 0)
    return;
  int size = 0;
  MPI_Type_size(type, &size);
  std::vector<char> data(std::size_t(kInstances) * size);
  for (std::size_t i = 0; i < data.size(); i++)
    data[i] = static_cast<char>(100 + i);
  const int bytes = int(data.size());
  std::vector<char> unpacked = bytesAt(0, kFileBytes);
  int position = 0;
  MPI_Unpack(data.data(), bytes, &position, unpacked.data(), kInstances, same, MPI_COMM_SELF);

  for (const bool collective : {false, true}) {
    SCOPED_TRACE(collective ? "collective" : "independent");
    const Hints hints{{"romio_cb_write", collective ? "enable" : "disable"}};
    MPI_File fh = openFile(file.path(), MPI_MODE_RDWR, hints, MPI_COMM_SELF);
    const std::vector<char> before = bytesAt(0, kFileBytes);
    MPI_File_write_at(fh, 0, before.data(), kFileBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_set_view(fh, 0, MPI_BYTE, type, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(fh, 0, data.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    EXPECT_EQ(unpacked, file.contents()) << "as a view";
    std::vector<char> back(data.size());
    MPI_File_read_at_all(fh, 0, back.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    EXPECT_EQ(data, back) << "as a view";

    MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at(fh, 0, data.data(), bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    std::vector<char> memory = bytesAt(0, kFileBytes);
    MPI_File_read_at_all(fh, 0, memory.data(), kInstances, type, MPI_STATUS_IGNORE);
    EXPECT_EQ(unpacked, memory) << "as memory";
    MPI_File_close(&fh);
  }
}

void expectLaidAsMpiUnpacks(MPI_Datatype type) { expectLaidAsMpiUnpacks(type, type); }

TEST(Flattening, IndexedTypesKeepAllBlocksOfATypeWithBoundsOfItsOwn) {
  const Derived gapped(vectorOf(2, 1, 2, MPI_INT));
  const Derived bounded(resizedTo(0, 20, gapped));
  expectLaidAsMpiUnpacks(Derived(indexed({2, 1}, {0, 3}, bounded)));
  expectLaidAsMpiUnpacks(Derived(hindexed({1, 3}, {4, 40}, bounded)));
}

TEST(Flattening, IndexedTypesMayBeginWithABlockOfLengthZero) {
  const Derived gapped(vectorOf(2, 1, 2, MPI_INT));
  expectLaidAsMpiUnpacks(Derived(indexed({0, 2, 0, 1}, {0, 1, 4, 5}, gapped)));
  expectLaidAsMpiUnpacks(Derived(hindexed({0, 1, 2}, {0, 16, 40}, gapped)));
}

TEST(Flattening, BlocksOfLengthZeroHaveNoBytesInAnyType) {
  const Derived gapped(vectorOf(2, 1, 2, MPI_INT));
  expectLaidAsMpiUnpacks(Derived(structOf({1, 0, 1}, {0, 20, 40}, {gapped, gapped, MPI_INT})));
  const Derived noCount(vectorOf(0, 1, 2, gapped));
  const Derived noLength(vectorOf(3, 0, 2, gapped));
  const Derived nothing(resizedTo(0, 8, noCount));
  const Derived withEmptyParts(
      structOf({1, 2, 1, 1}, {0, 20, 24, 40}, {noLength, MPI_INT, nothing, MPI_INT}));
  const Derived parts(structOf({2, 1}, {20, 40}, {MPI_INT, MPI_INT}));
  expectLaidAsMpiUnpacks(withEmptyParts, Derived(boundedAs(withEmptyParts, parts)));
}

TEST(Flattening, AnEmptyPartInFrontDoesNotMakeABlockBehindItContiguous) {
  const Derived after(hindexed({1}, {8}, MPI_INT));
  const Derived empty(vectorOf(0, 1, 2, after));
  const Derived both(structOf({1, 2}, {0, 0}, {empty, after}));
  expectLaidAsMpiUnpacks(both, Derived(boundedAs(both, Derived(hindexed({2}, {8}, MPI_INT)))));
}

TEST(Flattening, ALowerBoundMovesNoByte) {
  const Derived gapped(vectorOf(2, 1, 2, MPI_INT));
  const Derived shifted(resizedTo(-8, 24, gapped));
  expectLaidAsMpiUnpacks(shifted);
  expectLaidAsMpiUnpacks(Derived(resizedTo(4, 24, MPI_INT)));
  const Derived inBounds(resizedTo(0, 40, shifted));
  expectLaidAsMpiUnpacks(inBounds);
  expectLaidAsMpiUnpacks(Derived(vectorOf(2, 1, 2, shifted)));
}

/// What each constructor makes in its int form and in that of MPI_Count.
class BothForms {
public:
  BothForms() {
    const MPI_Count lengths[] = {2, 1};
    const MPI_Count places[] = {0, 5};
    const MPI_Count bytes[] = {4, 40};
    add(vectorOf(3, 2, 4, MPI_INT), &MPI_Type_vector_c, 3, 2, 4, MPI_INT);
    gapped_ = made_.back().second;
    add(vectorOf(3, 1, 3, gapped_), &MPI_Type_vector_c, 3, 1, 3, gapped_);
    add(vectorOf(2, 1, 1, gapped_), &MPI_Type_contiguous_c, 2, gapped_);
    add(hindexed({1, 1}, {0, 60}, gapped_), &MPI_Type_create_hvector_c, 2, 1, 60, gapped_);
    add(indexed({2, 1}, {0, 5}, MPI_INT), &MPI_Type_indexed_c, 2, lengths, places, MPI_INT);
    add(hindexed({2, 1}, {4, 40}, MPI_INT), &MPI_Type_create_hindexed_c, 2, lengths, bytes,
        MPI_INT);
    add(indexed({2, 2}, {0, 5}, MPI_INT), &MPI_Type_create_indexed_block_c, 2, 2, places, MPI_INT);
    add(hindexed({2, 2}, {4, 40}, MPI_INT), &MPI_Type_create_hindexed_block_c, 2, 2, bytes,
        MPI_INT);
    const MPI_Datatype parts[] = {MPI_INT, gapped_};
    add(structOf({2, 1}, {4, 40}, {MPI_INT, gapped_}), &MPI_Type_create_struct_c, 2, lengths, bytes,
        parts);
    add(resizedTo(-8, 80, gapped_), &MPI_Type_create_resized_c, gapped_, -8, 80);
    addArrays();
  }
  ~BothForms() {
    for (auto &[intForm, countForm] : made_) {
      MPI_Type_free(&intForm);
      MPI_Type_free(&countForm);
    }
  }
  BothForms(const BothForms &) = delete;
  BothForms &operator=(const BothForms &) = delete;
  const auto &pairs() const { return made_; }

private:
  template <class Constructor, class... Arguments>
  void add(MPI_Datatype intForm, Constructor *constructor, Arguments... arguments) {
    MPI_Datatype countForm = MPI_DATATYPE_NULL;
    constructor(arguments..., &countForm);
    MPI_Type_commit(&intForm);
    MPI_Type_commit(&countForm);
    made_.emplace_back(intForm, countForm);
  }
  void addArrays() {
    const int sizes[] = {4, 6};
    const int part[] = {2, 3};
    const int start[] = {1, 2};
    const MPI_Count countSizes[] = {4, 6};
    const MPI_Count countPart[] = {2, 3};
    const MPI_Count countStart[] = {1, 2};
    const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    const int lengths[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
    const int grid[] = {2, 2};
    for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) {
      MPI_Datatype type = MPI_DATATYPE_NULL;
      MPI_Type_create_subarray(2, sizes, part, start, order, MPI_INT, &type);
      add(type, &MPI_Type_create_subarray_c, 2, countSizes, countPart, countStart, order, MPI_INT);
      MPI_Type_create_darray(4, 3, 2, sizes, distributions, lengths, grid, order, MPI_INT, &type);
      add(type, &MPI_Type_create_darray_c, 4, 3, 2, countSizes, distributions, lengths, grid, order,
          MPI_INT);
    }
  }

  std::vector<std::pair<MPI_Datatype, MPI_Datatype>> made_;
  MPI_Datatype gapped_ = MPI_DATATYPE_NULL; ///< in the form of MPI_Count
};

TEST(Flattening, TypesOfTheMpiCountFormsAreAsThoseOfTheIntForms) {
  const BothForms both;
  for (const auto &[intForm, countForm] : both.pairs()) {
    SCOPED_TRACE(testing::Message() << "pair " << &countForm - &both.pairs()[0].second);
    expectLaidAsMpiUnpacks(intForm);
    expectLaidAsMpiUnpacks(countForm, intForm);
  }
}

TEST(Flattening, AnArrayMayHaveMoreElementsThanAnIntCounts) {
  const TestFile file(0);
  const MPI_Count size = 3'000'000'000;
  const MPI_Count part = 4;
  const MPI_Count start = size - part - 1;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray_c(1, &size, &part, &start, MPI_ORDER_C, MPI_INT, &type);
  const Derived last(type);
  MPI_File fh = openFile(file.path(), MPI_MODE_RDWR);
  MPI_File_set_view(fh, 0, MPI_INT, last, "native", MPI_INFO_NULL);
  const std::vector<int> written{7, 8, 9, 10};
  MPI_File_write_at_all(fh, 0, written.data(), 4, MPI_INT, MPI_STATUS_IGNORE);
  std::vector<int> read(4);
  MPI_File_read_at_all(fh, 0, read.data(), 4, MPI_INT, MPI_STATUS_IGNORE);
  EXPECT_EQ(written, read);
  MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
  MPI_File_read_at(fh, start, read.data(), 4, MPI_INT, MPI_STATUS_IGNORE);
  EXPECT_EQ(written, read);
  MPI_File_close(&fh);
}

TEST(Flattening, MemoryMayLieInFrontOfTheBuffer) {
  const TestFile file(kFileBytes);
  const Derived inFront(hindexed({2}, {-8}, MPI_INT));
  MPI_File fh = openFile(file.path(), MPI_MODE_RDONLY);
  std::vector<char> memory(64, 0);
  MPI_File_read_at(fh, 0, memory.data() + 32, 2, inFront, MPI_STATUS_IGNORE);
  std::vector<char> expected(64, 0);
  const std::vector<char> read = bytesAt(0, 16);
  std::copy(read.begin(), read.end(), expected.begin() + 24);
  EXPECT_EQ(expected, memory);
  MPI_File_close(&fh);
}

} // namespace
} // namespace forerun::test
