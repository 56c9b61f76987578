// SPDX-License-Identifier: Apache-2.0
// Every rank but the last reads a file of its own through the door, half of it announced; the last
// opens nothing and still takes part in the report. The file's name begins with the first argument,
// if there is one. Prints nothing.

#include "calls/DoorTable.h"
#include "forerun/prefetch.h"

#include <cstdlib>
#include <fcntl.h>
#include <mpi.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kReads = 64, kReadBytes = 4096;

/// As the patched MPI-IO reads.
void readOnce(forerun_handle *handle, int fd, std::uint64_t offset) {
  std::vector<char> bytes(kReadBytes);
  std::size_t got = 0;
  std::uint64_t ticket = 0;
  if (forerun::door().read(handle, bytes.data(), offset, bytes.size(), &got, &ticket) == 1)
    return;
  const ssize_t read = pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  forerun::door().missed(handle, bytes.data(), offset, bytes.size(), static_cast<std::size_t>(read),
                         ticket, 5000);
}

void waitUntilCovered(forerun_handle *handle, std::uint64_t offset) {
  const forerun_range range{offset, kReadBytes};
  while (forerun::door().covered(handle, &range, 1) == 0)
    usleep(100);
}

void readAFile(const std::string &name, int rank) {
  std::string path = name + " " + std::to_string(rank) + " XXXXXX";
  const int fd = mkstemp(path.data());
  if (fd < 0 || ftruncate(fd, off_t{kReads} * kReadBytes) != 0)
    std::abort();
  char handles = 0; // an MPI_File is an address
  const auto file = reinterpret_cast<MPI_File>(&handles);
  const forerun_open_file open{file,          path.c_str(),  "ufs", fd,      MPI_MODE_RDONLY,
                               MPI_COMM_SELF, MPI_INFO_NULL, 0,     nullptr, 0};
  int serves = 0;
  forerun_handle *handle = forerun::door().attach(&open, &serves);
  if (serves == 0)
    std::abort();
  for (int n = 0; n < kReads; ++n) {
    const auto offset = static_cast<std::uint64_t>(n) * kReadBytes;
    if (n % 2 == 0) {
      MPI_File_prefetch_at(file, static_cast<MPI_Offset>(offset), kReadBytes, MPI_BYTE);
      waitUntilCovered(handle, offset);
    }
    readOnce(handle, fd, offset);
  }
  forerun::door().detach(handle);
  close(fd);
  unlink(path.c_str());
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank + 1 < ranks)
    readAFile(argc > 1 ? argv[1] : "door \"program\"", rank);
  MPI_Finalize();
  return 0;
}
