// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Plan.h"

#include <cstdint>
#include <deque>
#include <mpi.h>
#include <string>
#include <vector>

/// \file
/// One rank's part of a program: carries out its operations through MPI-IO, and checks every byte
/// that it reads.

namespace litmus {

struct Tally {
  std::uint64_t programs = 0, reads = 0, writes = 0;
  std::uint64_t newer = 0; ///< bytes that need not have been seen yet
  std::uint64_t wrong = 0; ///< reads with a byte that the rules do not allow

  void add(const Tally &more);
};

class Run {
public:
  /// Collective, as `carryOut`. The files are made anew in \p directory.
  Run(const Program &program, const std::string &directory, std::uint64_t seed);
  ~Run();
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  Tally carryOut();

private:
  struct Posted {
    int cell;
    std::vector<std::uint8_t> bytes;
    MPI_Request request;
  };

  std::string path(int file) const;
  std::string pathBy(Name name, int file) const;
  void makeFiles();
  void removeFiles() const;
  void open(int handle, Name name);
  void carryOut(const Operation &operation);
  void read(const Operation &operation);
  void write(const Operation &operation);
  void wait(int cell);
  void judge(const Operation &operation, const std::vector<std::uint8_t> &bytes);
  MPI_File &file(const Operation &operation);

  const Program &program_;
  const std::string directory_;
  const std::uint64_t seed_;
  int rank_ = 0;
  bool linked_ = true;          ///< files have links
  std::vector<MPI_File> files_; ///< of each handle
  std::deque<Posted> posted_;
  Tally tally_;
  std::size_t round_ = 0, step_ = 0; ///< for messages
};

/// Ends the run with \p rc's text.
void check(int rc, const char *what);

} // namespace litmus
