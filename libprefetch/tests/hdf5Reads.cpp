// SPDX-License-Identifier: Apache-2.0
// Reads a data set of parallel HDF5 after having announced its reads by H5Dprefetch, and looks at each
// value. Arguments: the file to be made, how the data set is laid out, and how it is read. What came
// from the cache is in the report.

#include "calls/TheProcess.h"
#include "forerun/hdf5.h"
#include "forerun/prefetch.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr hsize_t kRows = 1024, kColumns = 1024;
constexpr std::array<hsize_t, 2> kExtent{kRows, kColumns};

void must(bool good, const char *what) {
  if (good)
    return;
  std::fprintf(stderr, "not so: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

using Point = std::array<hsize_t, 2>;

struct Layout {
  std::string_view name;
  std::array<hsize_t, 2> chunk; ///< 0: contiguous
  bool deflated = false;
  bool sparse = false; ///< the lower half is never written
  hsize_t userBlock = 0;
  bool linked = false; ///< in another file: an external link leads to it
};
constexpr std::array kLayouts{
    Layout{.name = "contiguous", .chunk = {0, 0}},
    Layout{.name = "chunked", .chunk = {30, 70}},
    Layout{.name = "large-chunks", .chunk = {512, 512}}, ///< larger than HDF5's chunk cache
    Layout{.name = "deflated", .chunk = {32, 64}, .deflated = true},
    Layout{.name = "sparse", .chunk = {30, 70}, .sparse = true},
    Layout{.name = "sparse-large-chunks", .chunk = {512, 512}, .sparse = true},
    Layout{.name = "behind-a-user-block", .chunk = {32, 64}, .userBlock = 4096},
    Layout{.name = "behind-a-link", .chunk = {30, 70}, .linked = true},
};

double valueAt(const Layout &layout, hsize_t row, hsize_t column) {
  if (layout.sparse && row >= kRows / 2)
    return 0;
  return static_cast<double>(row * kColumns + column) * 0.5;
}

hid_t openedBy(MPI_Comm comm) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  return access;
}

/// By one process alone: HDF5 1.10 writes filtered chunks of several processes only collectively.
void make(const char *path, const Layout &layout) {
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(creation, layout.userBlock);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (layout.chunk[0] != 0)
    H5Pset_chunk(properties, 2, layout.chunk.data());
  if (layout.deflated)
    H5Pset_deflate(properties, 1);
  const hid_t space = H5Screate_simple(2, kExtent.data(), nullptr);
  const hid_t data =
      H5Dcreate2(file, "/data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  std::vector<double> values;
  for (hsize_t row = 0; row < kRows; ++row)
    for (hsize_t column = 0; column < kColumns; ++column)
      values.push_back(valueAt(layout, row, column));
  const Point begin{0, 0};
  const Point written{layout.sparse ? kRows / 2 : kRows, kColumns};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, written.data(), nullptr);
  must(H5Dwrite(data, H5T_NATIVE_DOUBLE, space, space, H5P_DEFAULT, values.data()) >= 0,
       "the data set can be written");
  H5Dclose(data);
  H5Sclose(space);
  H5Pclose(properties);
  H5Fclose(file);
  H5Pclose(creation);
}

/// The file that is opened, if \p other has the data.
void makeLink(const char *path, const char *other) {
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external(other, "/data", file, "/data", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
}

/// One read: what it selects, in order.
struct Read {
  hid_t space;
  std::vector<Point> points;
};

Read boxAt(Point begin, Point size) {
  Read read{H5Screate_simple(2, kExtent.data(), nullptr), {}};
  H5Sselect_hyperslab(read.space, H5S_SELECT_SET, begin.data(), nullptr, size.data(), nullptr);
  for (hsize_t row = begin[0]; row < begin[0] + size[0]; ++row)
    for (hsize_t column = begin[1]; column < begin[1] + size[1]; ++column)
      read.points.push_back({row, column});
  return read;
}

/// \p kind: boxes, points, whole, or none. Of each rank its own.
std::vector<Read> readsOf(std::string_view kind, int rank) {
  if (kind == "whole")
    return {boxAt({0, 0}, kExtent)};
  if (kind == "none")
    return {};
  std::mt19937 random(static_cast<unsigned>(rank) + 1);
  const auto upTo = [&](hsize_t last) {
    return std::uniform_int_distribution<hsize_t>(0, last)(random);
  };
  constexpr int kReads = 40;
  constexpr hsize_t kHeight = 64, kWidth = 512; // a row is a sector
  std::vector<Read> reads;
  for (int n = 0; n < kReads; ++n) {
    if (kind == "boxes") {
      reads.push_back(boxAt({upTo(kRows - kHeight), upTo(1) * kWidth}, {kHeight, kWidth}));
      continue;
    }
    Read read{H5Screate_simple(2, kExtent.data(), nullptr), {}};
    for (int p = 0; p < 100; ++p)
      read.points.push_back({upTo(kRows - 1), upTo(kColumns - 1)});
    H5Sselect_elements(read.space, H5S_SELECT_SET, read.points.size(), read.points[0].data());
    reads.push_back(read);
  }
  return reads;
}

/// Until all that has been announced is known to the cache.
void awaitAnnouncements(hid_t file) {
  void *handle = nullptr;
  char byte = 0;
  must(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0, "HDF5 gives its MPI_File");
  forerun::theProcess().hdf5("").awaitIdle();
  MPI_File_prefetch_read_at(*static_cast<MPI_File *>(handle), 0, &byte, 1, MPI_BYTE, nullptr);
}

void readAll(const char *path, const Layout &layout, std::string_view kind, bool isCollective,
             int rank) {
  const hid_t access = openedBy(MPI_COMM_WORLD);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
  const hid_t data = H5Dopen2(file, "/data", H5P_DEFAULT);
  must(data >= 0, "the data set can be opened");
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, isCollective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  const std::vector<Read> reads = readsOf(kind, rank);
  const auto memoryOf = [](const Read &read) {
    const hsize_t points = read.points.size();
    return H5Screate_simple(1, &points, nullptr);
  };
  // One process after the other: no announcement waits for others.
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank > 0)
    MPI_Recv(nullptr, 0, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (const Read &read : reads) {
    const hid_t memory = memoryOf(read);
    must(H5Dprefetch(data, H5T_NATIVE_DOUBLE, memory, read.space, transfer) == 0,
         "H5Dprefetch never fails");
    H5Sclose(memory);
  }
  if (rank + 1 < ranks)
    MPI_Send(nullptr, 0, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  if (forerun::theProcess().enabled() && !reads.empty())
    awaitAnnouncements(file);
  for (const Read &read : reads) {
    const hid_t memory = memoryOf(read);
    std::vector<double> values(read.points.size());
    must(H5Dread(data, H5T_NATIVE_DOUBLE, memory, read.space, transfer, values.data()) >= 0,
         "the data set can be read");
    for (std::size_t p = 0; p < values.size(); ++p)
      must(values[p] == valueAt(layout, read.points[p][0], read.points[p][1]),
           "the values are the file's");
    H5Sclose(memory);
    H5Sclose(read.space);
  }
  H5Pclose(transfer);
  H5Dclose(data);
  H5Fclose(file);
  H5Pclose(access);
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  must(argc == 5, "the arguments are FILE LAYOUT boxes|points|whole|none independent|collective");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto *const layout = std::ranges::find(kLayouts, argv[2], &Layout::name);
  must(layout != kLayouts.end(), "there is such a layout");
  const std::string other = std::string(argv[1]) + (layout->linked ? ".other" : "");
  if (rank == 0) {
    make(other.c_str(), *layout);
    if (layout->linked)
      makeLink(argv[1], other.c_str());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  readAll(argv[1], *layout, argv[3], std::string_view(argv[4]) == "collective", rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    std::remove(argv[1]);
  MPI_Finalize();
  return 0;
}
