// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <mpi.h>
#include <string>
#include <vector>

/// \file
/// GoogleTest under mpiexec: every rank runs every test, and states its expectations with EXPECT_,
/// so that collective calls stay collective.

namespace forerun::test {

int rank();
int ranks();

/// The byte that test files have at \p offset.
inline char byteAt(std::uint64_t offset) { return static_cast<char>(offset * 7 + offset / 251); }

/// A file that all ranks see, with byteAt() in it; deleted with the object.
class TestFile {
public:
  explicit TestFile(std::uint64_t bytes);
  ~TestFile();
  TestFile(const TestFile &) = delete;
  TestFile &operator=(const TestFile &) = delete;

  const std::string &path() const { return path_; }
  std::vector<char> contents() const;
  /// Changes bytes without MPI's knowledge.
  void poke(std::uint64_t offset, const std::vector<char> &bytes) const;

private:
  std::string path_;
};

std::vector<char> bytesAt(std::uint64_t offset, std::size_t length);

/// Hints, freed with the object.
class Hints {
public:
  Hints(std::initializer_list<std::pair<const char *, const char *>> hints);
  ~Hints() { MPI_Info_free(&info_); }
  Hints(const Hints &) = delete;
  Hints &operator=(const Hints &) = delete;
  operator MPI_Info() const { return info_; }

private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// A derived type of strided blocks, freed with the object.
class Type {
public:
  /// \p count blocks of \p block bytes, \p stride bytes apart (negative: backwards), the first
  /// \p from bytes into an extent of as many strides.
  Type(int count, int block, int stride, int from = 0);
  ~Type() { MPI_Type_free(&type_); }
  Type(const Type &) = delete;
  Type &operator=(const Type &) = delete;
  operator MPI_Datatype() const { return type_; }

private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

MPI_File openFile(const std::string &path, int amode, MPI_Info info = MPI_INFO_NULL,
                  MPI_Comm comm = MPI_COMM_WORLD);
int errorClass(int code);

/// What storage does instead of reading: see Interposed.cpp.
void failReads(bool fail);
void failAsynchronousReads(bool fail);
/// Calls of MPI_Alltoall and MPI_Allgather by the MPI-IO of this process so far.
int exchanges();

} // namespace forerun::test
