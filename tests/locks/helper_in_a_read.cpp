// SPDX-License-Identifier: Apache-2.0
// helper_in_a_read MOUNT OTHER: a helper thread reads ahead, through Forerun, a file on a test bed
// that answers seconds later; meanwhile the main thread opens, reads and closes another file. The
// order of events shows that the main thread does not stall: it has finished before the helper's
// read.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <forerun/prefetch.h>
#include <fstream>
#include <mpi.h>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kReads = 1000;
constexpr int kBytes = 4096;
constexpr int kHangSeconds = 5;

/// The number of reads that have arrived at the test bed.
long arrived(const std::string &control) {
  std::ifstream file(control);
  std::string word;
  long reads = 0;
  while (file >> word)
    if (word == "reads" && file >> reads)
      return reads;
  return reads;
}

/// False if the read does not arrive within the time that it hangs there.
bool waitForArrival(const std::string &control, long before) {
  for (int i = 0; i < kHangSeconds * 1000; ++i) {
    if (arrived(control) > before)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

MPI_File open(const std::string &path) {
  MPI_File file = MPI_FILE_NULL;
  MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  return file;
}

/// The number of reads of \p path that returned what was requested.
int readOther(const std::string &path) {
  MPI_File file = open(path);
  std::vector<char> buffer(kBytes);
  int good = 0;
  for (int i = 0; i < kReads; ++i) {
    MPI_Status status;
    int count = 0;
    MPI_File_read_at(file, 0, buffer.data(), kBytes, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    good += count == kBytes ? 1 : 0;
  }
  MPI_File_close(&file);
  return good;
}

} // namespace

int main(int argc, char **argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc != 3 || provided < MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const std::string mount = argv[1];
  const std::string control = mount + "/.forerun-testbed";

  MPI_File slow = open(mount + "/data");
  const long before = arrived(control);
  std::ofstream(control) << "hang " << kHangSeconds << '\n';
  std::atomic<bool> returned{false};
  std::size_t got = 0;
  std::thread helper([&] {
    std::vector<char> ahead(kBytes);
    MPI_File_prefetch_read_at(slow, 0, ahead.data(), kBytes, MPI_BYTE, &got);
    returned = true;
  });
  const bool arrivedThere = waitForArrival(control, before);
  const int good = readOther(argv[2]);
  const bool stalled = returned;
  helper.join();
  MPI_File_close(&slow);
  std::printf("the helper's read %s; %d of %d reads of the other file were right, %s; then the "
              "helper had its %zu bytes\n",
              arrivedThere ? "was under way" : "NEVER ARRIVED", good, kReads,
              stalled ? "BUT AFTER IT" : "and before it", got);
  MPI_Finalize();
  return arrivedThere && good == kReads && !stalled && got == kBytes ? 0 : 1;
}
