// SPDX-License-Identifier: Apache-2.0
// Datatypes that stock ROMIO lays out wrongly (and one that glue/contiguous.c could), as views and
// as memory. The reference is MPI itself, when it unpacks them: ROMIO does not ask it, but flattens
// datatypes to lists of blocks.
#include "MpiTest.h"

#include <algorithm>
#include <initializer_list>

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
