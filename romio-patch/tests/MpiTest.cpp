// SPDX-License-Identifier: Apache-2.0
#include "MpiTest.h"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace forerun::test {

int rank() {
  int value;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}

int ranks() {
  int value;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

std::vector<char> bytesAt(std::uint64_t offset, std::size_t length) {
  std::vector<char> bytes(length);
  for (std::size_t i = 0; i < length; i++)
    bytes[i] = byteAt(offset + i);
  return bytes;
}

TestFile::TestFile(std::uint64_t bytes) {
  char path[256] = {};
  if (rank() == 0) {
    const char *folder = std::getenv("TMPDIR");
    std::snprintf(path, sizeof path, "%s/forerun-romio.XXXXXX", folder ? folder : "/tmp");
    const int fd = mkstemp(path);
    const std::vector<char> contents = bytesAt(0, bytes);
    if (fd < 0 || write(fd, contents.data(), bytes) != static_cast<ssize_t>(bytes))
      MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
  }
  MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
  path_ = path;
}

TestFile::~TestFile() {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0)
    unlink(path_.c_str());
}

std::vector<char> TestFile::contents() const {
  std::ifstream file(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void TestFile::poke(std::uint64_t offset, const std::vector<char> &bytes) const {
  std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(offset));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Hints::Hints(std::initializer_list<std::pair<const char *, const char *>> hints) {
  MPI_Info_create(&info_);
  for (const auto &[key, value] : hints)
    MPI_Info_set(info_, key, value);
}

Type::Type(int count, int block, int stride, int from) {
  MPI_Datatype blocks = MPI_DATATYPE_NULL;
  MPI_Datatype placed = MPI_DATATYPE_NULL;
  const MPI_Aint displacement = from;
  MPI_Type_create_hvector(count, block, stride, MPI_BYTE, &blocks);
  MPI_Type_create_hindexed_block(1, 1, &displacement, blocks, &placed);
  MPI_Type_create_resized(placed, 0, static_cast<MPI_Aint>(count) * std::abs(stride), &type_);
  MPI_Type_commit(&type_);
  MPI_Type_free(&blocks);
  MPI_Type_free(&placed);
}

MPI_File openFile(const std::string &path, int amode, MPI_Info info, MPI_Comm comm) {
  MPI_File fh = MPI_FILE_NULL;
  EXPECT_EQ(MPI_SUCCESS, MPI_File_open(comm, path.c_str(), amode, info, &fh));
  return fh;
}

int errorClass(int code) {
  int value;
  MPI_Error_class(code, &value);
  return value;
}

} // namespace forerun::test

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  testing::InitGoogleTest(&argc, argv);
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
