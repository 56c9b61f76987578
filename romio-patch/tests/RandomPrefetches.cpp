// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program that knows nothing of it: a thread that announces reads at random
// offsets of whatever files the program has open.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <forerun/prefetch.h>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr MPI_Offset kFarthestBytes = MPI_Offset{4} << 20;
constexpr int kMaxBytes = 64 << 10;

class Prefetcher {
public:
  ~Prefetcher() { stop(); }

  void add(MPI_File fh) {
    const std::lock_guard lock(mutex_);
    files_.push_back(fh);
    if (!thread_.joinable())
      thread_ = std::thread([this] { run(); });
  }

  void remove(MPI_File fh) {
    const std::lock_guard lock(mutex_);
    std::erase(files_, fh);
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable())
      thread_.join();
  }

private:
  void run() {
    std::minstd_rand random{4711};
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      wake_.wait_for(lock, std::chrono::microseconds(300));
      if (files_.empty())
        continue;
      const MPI_File fh = files_[random() % files_.size()];
      const MPI_Offset farthest = kFarthestBytes >> random() % 16;
      MPI_File_prefetch_at(fh, static_cast<MPI_Offset>(random()) % farthest,
                           static_cast<int>(random()) % kMaxBytes, MPI_BYTE);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<MPI_File> files_;
  bool stopped_ = false;
  std::thread thread_;
};

Prefetcher &prefetcher() {
  static Prefetcher instance;
  return instance;
}

} // namespace

extern "C" {

int MPI_File_open(MPI_Comm comm, const char *path, int amode, MPI_Info info, MPI_File *fh) {
  const int code = PMPI_File_open(comm, path, amode, info, fh);
  if (code == MPI_SUCCESS)
    prefetcher().add(*fh);
  return code;
}

int MPI_File_close(MPI_File *fh) {
  prefetcher().remove(*fh);
  return PMPI_File_close(fh);
}

} // extern "C"
