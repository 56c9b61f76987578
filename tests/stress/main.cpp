// SPDX-License-Identifier: Apache-2.0
// Random reads, writes, prefetches, views and resizes of many ranks, each byte judged by a model of
// the file in memory. Prints the seed; the same seed does the same operations again.
//
//   stress PATH SEED PHASES OPERATIONS     (operations: of one rank in one phase)

#include "Plan.h"
#include "Random.h"
#include "Rank.h"
#include "SharedFile.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <semaphore>
#include <thread>

namespace {

using namespace stress;

/// The second thread: for every operation of the main thread, a few arbitrary prefetches.
class Thrower {
public:
  Thrower(SharedFile &file, std::uint64_t seed)
      : file_(file), random_(seed, 0), thread_([this] { run(); }) {}
  ~Thrower() {
    ended_ = true;
    turns_.release();
    thread_.join();
  }
  Thrower(const Thrower &) = delete;
  Thrower &operator=(const Thrower &) = delete;

  void poke() { turns_.release(); }

private:
  void run() {
    while (true) {
      turns_.acquire();
      if (ended_)
        return;
      for (std::uint64_t left = random_.below(3); left > 0; --left)
        file_.prefetchAtRandom(random_.next());
    }
  }

  SharedFile &file_;
  Random random_;
  std::counting_semaphore<> turns_{0};
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

Tally runAll(const Config &config, const char *path, int rank) {
  SharedFile file(path);
  file.open();
  Thrower thrower(file, Random::mix(config.seed) + static_cast<std::uint64_t>(rank));
  Rank self(config, file, [&thrower] { thrower.poke(); });
  self.fillFile();
  for (int number = 0; number < config.phases; ++number)
    self.run(planPhase(config, number), number);
  file.close();
  return self.tally();
}

bool cacheAttached(const char *path) {
  MPI_File fh = MPI_FILE_NULL;
  check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh), "open");
  MPI_Info info = MPI_INFO_NULL;
  MPI_File_get_info(fh, &info);
  std::array<char, 16> value{};
  int found = 0;
  MPI_Info_get(info, "forerun_cache", static_cast<int>(value.size()) - 1, value.data(), &found);
  MPI_Info_free(&info);
  MPI_File_close(&fh);
  return found != 0;
}

} // namespace

int main(int argc, char **argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int rank = 0;
  Config config;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &config.ranks);
  if (argc != 5 || provided < MPI_THREAD_MULTIPLE) {
    std::fprintf(stderr, "usage: stress PATH SEED PHASES OPERATIONS (and MPI_THREAD_MULTIPLE)\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  config.seed = std::strtoull(argv[2], nullptr, 10);
  config.phases = std::atoi(argv[3]);
  config.operations = std::atoi(argv[4]);

  const Tally own = runAll(config, argv[1], rank);
  std::array<std::uint64_t, 3> mine{own.operations, own.comparedBytes, own.differences};
  std::array<std::uint64_t, 3> all{};
  MPI_Allreduce(mine.data(), all.data(), 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const bool cached = cacheAttached(argv[1]);
  if (rank == 0)
    std::printf("stress: seed %llu: %d ranks, %d phases, %llu operations, %.1f MiB compared, "
                "cache %s, %llu differences\n",
                static_cast<unsigned long long>(config.seed), config.ranks, config.phases,
                static_cast<unsigned long long>(all[0]), static_cast<double>(all[1]) / 1048576.0,
                cached ? "attached" : "not attached", static_cast<unsigned long long>(all[2]));
  MPI_Finalize();
  return all[2] == 0 ? 0 : 1;
}
