// SPDX-License-Identifier: Apache-2.0
// Random small programs for MPI's rules of file consistency; every byte that is read must be one
// that the rules allow. See README.md.
//
//   litmus DIRECTORY SEED COUNT      programs of the seeds from SEED on, so many
//   litmus DIRECTORY SEED SECONDSs   ..., for so long

#include "Run.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <string>

namespace {

using namespace litmus;

/// When to stop; the same on all ranks.
class Limit {
public:
  explicit Limit(const std::string &text)
      : seconds_(text.ends_with('s')), amount_(std::strtoull(text.c_str(), nullptr, 10)) {}

  bool valid() const { return amount_ > 0; }
  bool reached(std::uint64_t programs) const {
    int stop = programs >= amount_ ? 1 : 0;
    if (seconds_) {
      stop = MPI_Wtime() - start_ >= static_cast<double>(amount_) ? 1 : 0;
      MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return stop != 0;
  }

private:
  const bool seconds_;
  const std::uint64_t amount_;
  const double start_ = MPI_Wtime();
};

Tally sumOfAll(const Tally &own) {
  const std::array<std::uint64_t, 4> mine{own.reads, own.writes, own.newer, own.wrong};
  std::array<std::uint64_t, 4> all{};
  MPI_Allreduce(mine.data(), all.data(), 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return {own.programs, all[0], all[1], all[2], all[3]};
}

/// Processes share their caches' memory if they open their first file together.
void meet(const std::string &directory) {
  MPI_File fh = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_WORLD, (directory + "/litmus.meeting").c_str(),
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &fh);
  if (fh != MPI_FILE_NULL)
    MPI_File_close(&fh);
}

} // namespace

int main(int argc, char **argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Limit limit(argc == 4 ? argv[3] : "0");
  if (!limit.valid()) {
    std::fprintf(stderr, "usage: litmus DIRECTORY SEED COUNT|SECONDSs\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const std::uint64_t firstSeed = std::strtoull(argv[2], nullptr, 10);

  meet(argv[1]);
  Tally own;
  while (!limit.reached(own.programs)) {
    const std::uint64_t seed = firstSeed + own.programs;
    const Program program = plan(seed, ranks);
    Run run(program, argv[1], seed);
    own.add(run.carryOut());
  }
  const Tally all = sumOfAll(own);
  if (rank == 0)
    std::printf(
        "litmus: seeds %llu to %llu: %d ranks, %llu programs, %llu reads, %llu writes, "
        "%llu bytes seen before they had to be, %llu wrong\n",
        static_cast<unsigned long long>(firstSeed),
        static_cast<unsigned long long>(firstSeed + all.programs - 1), ranks,
        static_cast<unsigned long long>(all.programs), static_cast<unsigned long long>(all.reads),
        static_cast<unsigned long long>(all.writes), static_cast<unsigned long long>(all.newer),
        static_cast<unsigned long long>(all.wrong));
  MPI_Finalize();
  return all.wrong == 0 ? 0 : 1;
}
