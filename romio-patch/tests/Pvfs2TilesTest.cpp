// SPDX-License-Identifier: Apache-2.0
#include "MpiTest.h"
#include "forerun/prefetch.h"

// On a PVFS2 file system at pvfs2:/forerun (see with-pvfs2): a matrix read tile by tile, with
// strided announcements. What one request brings goes to frames of the cache that lie in any order,
// in a pool also side by side.

namespace forerun::test {
namespace {

constexpr const char *kPath = "pvfs2:/forerun/matrix";
constexpr int kTile = 128, kColumns = 32, kWidth = kColumns * kTile, kHeight = 16 * kTile;
constexpr int kBandBytes = kTile * kWidth * 8;

/// Element \p n of the matrix.
std::uint64_t elementAt(std::uint64_t n) { return n * 0x9e3779b97f4a7c15u; }

using Tile = std::vector<std::uint64_t>;

/// The tile in \p column whose first row is \p row.
Tile tileAt(int column, int row) {
  Tile tile;
  for (int y = 0; y < kTile; ++y)
    for (int x = 0; x < kTile; ++x)
      tile.push_back(elementAt(static_cast<std::uint64_t>(row + y) * kWidth +
                               static_cast<std::uint64_t>(column * kTile + x)));
  return tile;
}

class TilesOnPvfs2 : public testing::Test {
protected:
  TilesOnPvfs2() {
    MPI_File made = openFile(kPath, MPI_MODE_CREATE | MPI_MODE_WRONLY);
    Tile band(std::size_t{kTile} * kWidth);
    for (int n = rank(); n < kHeight / kTile; n += ranks()) {
      for (std::size_t i = 0; i < band.size(); ++i)
        band[i] = elementAt(static_cast<std::uint64_t>(n) * band.size() + i);
      EXPECT_EQ(MPI_SUCCESS, MPI_File_write_at(made, MPI_Offset{n} * kBandBytes, band.data(),
                                               kBandBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    MPI_File_close(&made);
  }
  ~TilesOnPvfs2() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0)
      MPI_File_delete(kPath, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void open() {
    const Hints hints{{"forerun_cache", "on"}};
    file_ = openFile(kPath, MPI_MODE_RDONLY, hints);
  }
  void close() { MPI_File_close(&file_); }

  /// The view of a column of tiles, in which each tile is contiguous.
  void view(int column) const {
    const int sizes[] = {kTile, kWidth}, parts[] = {kTile, kTile}, starts[] = {0, column * kTile};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_UINT64_T, &type);
    MPI_Type_commit(&type);
    EXPECT_EQ(MPI_SUCCESS,
              MPI_File_set_view(file_, 0, MPI_UINT64_T, type, "native", MPI_INFO_NULL));
    MPI_Type_free(&type);
  }

  void announce(int row) const {
    MPI_File_prefetch_at(file_, MPI_Offset{row} * kTile, kTile * kTile, MPI_UINT64_T);
  }

  Tile read(int row) const {
    Tile tile(std::size_t{kTile} * kTile, 0xaaaaaaaaaaaaaaaau);
    EXPECT_EQ(MPI_SUCCESS, MPI_File_read_at(file_, MPI_Offset{row} * kTile, tile.data(),
                                            kTile * kTile, MPI_UINT64_T, MPI_STATUS_IGNORE));
    return tile;
  }

private:
  MPI_File file_ = MPI_FILE_NULL;
};

TEST_F(TilesOnPvfs2, AnnouncedAndReadByColumnsAreWhatIsInTheFile) {
  for (int round = 0; round < 8; ++round) {
    open();
    for (int column = rank(); column < kColumns / 4; column += ranks()) {
      view(column);
      for (int row = 0; row < kHeight; row += kTile)
        announce(row);
      for (int row = 0; row < kHeight; row += kTile)
        EXPECT_TRUE(read(row) == tileAt(column, row)) << "column " << column << ", row " << row;
    }
    close();
  }
}

} // namespace
} // namespace forerun::test
