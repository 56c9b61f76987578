// SPDX-License-Identifier: Apache-2.0
#include "MpiTest.h"

// Strided access to a PVFS2 file system at pvfs2:/forerun (see with-pvfs2) by MPI-IO's own driver:
// pieces in the file, in memory and in both, more of them than a list of the driver has room for.

namespace forerun::test {
namespace {

constexpr int kPieces = 200, kPieceBytes = 100, kStride = 170, kBytes = kPieces * kPieceBytes;

enum class Memory { Whole, Gaps, Backwards };

/// How the pieces lie, and which way of access the program asks for.
struct Sides {
  const char *name;
  bool file; ///< with gaps
  Memory memory;
  const char *way; ///< of the hints romio_pvfs2_WAY_read and _write; "": none
};

class StridedOnPvfs2 : public testing::TestWithParam<Sides> {
protected:
  StridedOnPvfs2() {
    path_ = "pvfs2:/forerun/strided" + std::to_string(rank());
    const std::string way = std::string("romio_pvfs2_") + GetParam().way;
    const Hints hints{{"forerun_cache", "off"},
                      {(way + "_read").c_str(), "enable"},
                      {(way + "_write").c_str(), "enable"}};
    file = openFile(path_, MPI_MODE_CREATE | MPI_MODE_RDWR, hints, MPI_COMM_SELF);
    const std::vector<char> bytes = bytesAt(0, kFileBytes);
    MPI_File_write_at(file, 0, bytes.data(), kFileBytes, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  ~StridedOnPvfs2() override {
    MPI_File_close(&file);
    MPI_File_delete(path_.c_str(), MPI_INFO_NULL);
  }

  void setView() const {
    EXPECT_EQ(MPI_SUCCESS, MPI_File_set_view(file, kDisplacement, MPI_BYTE,
                                             GetParam().file ? MPI_Datatype(pieces) : MPI_BYTE,
                                             "native", MPI_INFO_NULL));
  }
  int count() const { return GetParam().memory == Memory::Whole ? kBytes : 1; }
  MPI_Datatype type() const {
    return GetParam().memory == Memory::Whole  ? MPI_BYTE
           : GetParam().memory == Memory::Gaps ? MPI_Datatype(pieces)
                                               : MPI_Datatype(backwards);
  }

  /// Where byte \p n of the access lies.
  static std::size_t withGaps(std::size_t n) { return n / kPieceBytes * kStride + n % kPieceBytes; }
  static std::size_t inFile(std::size_t n) {
    return kDisplacement + (GetParam().file ? withGaps(n) : n);
  }
  static std::size_t inMemory(std::size_t n) {
    if (GetParam().memory == Memory::Backwards)
      return (kPieces - 1 - n / kPieceBytes) * kPieceBytes + n % kPieceBytes;
    return GetParam().memory == Memory::Gaps ? withGaps(n) : n;
  }

  static constexpr int kDisplacement = 333, kFileBytes = kDisplacement + kPieces * kStride;
  const Type pieces{kPieces, kPieceBytes, kStride};
  const Type backwards{kPieces, kPieceBytes, -kPieceBytes, (kPieces - 1) * kPieceBytes};
  MPI_File file = MPI_FILE_NULL;

private:
  std::string path_;
};

TEST_P(StridedOnPvfs2, AReadBringsWhatIsInTheFile) {
  setView();
  std::vector<char> bytes(std::size_t{kPieces} * kStride, '#');
  EXPECT_EQ(MPI_SUCCESS, MPI_File_read(file, bytes.data(), count(), type(), MPI_STATUS_IGNORE));
  std::vector<char> expected(bytes.size(), '#');
  for (std::size_t n = 0; n < kBytes; ++n)
    expected[inMemory(n)] = byteAt(inFile(n));
  EXPECT_EQ(bytes, expected);
}

TEST_P(StridedOnPvfs2, AWriteArrivesAndChangesNothingElse) {
  setView();
  std::vector<char> bytes(std::size_t{kPieces} * kStride);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    bytes[n] = static_cast<char>(byteAt(n) + 1);
  EXPECT_EQ(MPI_SUCCESS, MPI_File_write(file, bytes.data(), count(), type(), MPI_STATUS_IGNORE));
  std::vector<char> expected = bytesAt(0, kFileBytes);
  for (std::size_t n = 0; n < kBytes; ++n)
    expected[inFile(n)] = bytes[inMemory(n)];
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  std::vector<char> come(kFileBytes);
  MPI_File_read_at(file, 0, come.data(), kFileBytes, MPI_BYTE, MPI_STATUS_IGNORE);
  EXPECT_EQ(come, expected);
}

std::string nameOf(const testing::TestParamInfo<Sides> &info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    All, StridedOnPvfs2,
    testing::Values(Sides{"InTheFile", true, Memory::Whole, ""},
                    Sides{"InMemory", false, Memory::Gaps, ""},
                    Sides{"InBoth", true, Memory::Gaps, ""},
                    Sides{"BackwardsInMemory", false, Memory::Backwards, ""},
                    Sides{"InTheFileAndBackwardsInMemory", true, Memory::Backwards, ""},
                    Sides{"InBothWhereListsAreAskedFor", true, Memory::Gaps, "listio"},
                    Sides{"BackwardsWhereListsAreAskedFor", false, Memory::Backwards, "listio"},
                    Sides{"InBothWhereDatatypesAreAskedFor", true, Memory::Gaps, "dtype"},
                    Sides{"BackwardsWhereDatatypesAreAskedFor", false, Memory::Backwards, "dtype"}),
    nameOf);

} // namespace
} // namespace forerun::test
