// SPDX-License-Identifier: Apache-2.0
#include "fetch/FetchEngine.h"

#include "fetch/FetchLane.h"
#include "forerun/Mutex.h"
#include "forerun/Valgrind.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>
#include <vector>

namespace forerun {

namespace {

/// What reads the files of one kind: a backend, and its lane once a file has needed it.
struct Storage {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<FetchLane> lane = nullptr;
};

constexpr std::size_t kMaxStorages = 3;

/// Every backend that \p engine allows, the better first if several serve a file. The choice is
/// between those that read through a descriptor.
std::vector<Storage> storagesFor(IoEngine engine) {
  std::vector<Storage> storages;
  if (engine == IoEngine::IoUring || (engine == IoEngine::Auto && !isInValgrind()))
    storages.push_back({makeIoUringBackend()});
  if (engine != IoEngine::IoUring)
    storages.push_back({makeThreadBackend()});
  storages.push_back({makeReaderBackend()});
  return storages;
}

/// A lane for each backend in use: one exists from the start, others start with the first file that
/// needs them.
class Engine final : public FetchEngine {
public:
  Engine(const CacheConfig &config, Completed completed)
      : config_(config), completed_(std::move(completed)), storages_(storagesFor(config.engine)) {}

  ~Engine() override {
    if (!stopped_)
      stopLanes();
  }
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// Starts a lane for any file with a descriptor.
  forerun_rc start() {
    const FileSource anyPosix{.path = {}, .fd = 0, .fileSystem = {}, .reader = {}};
    forerun_rc rc = FORERUN_OK;
    return laneFor(anyPosix, rc) != nullptr ? FORERUN_OK : rc;
  }

  FetchFile *openFile(const FileSource &source, forerun_rc &rc) override {
    FetchLane *lane = laneFor(source, rc);
    if (lane == nullptr)
      return nullptr;
    std::unique_ptr<FetchFile> file = lane->openFile(source, config_.direct);
    rc = file ? FORERUN_OK : FORERUN_ERR_MEMORY;
    return file.release();
  }

  void closeFile(FetchFile *file) override { delete file; }

  void stop() override {
    stopped_ = true;
    stopLanes();
  }

  void queue(std::span<FetchRequest *const> requests) override {
    eachRun(requests, laneOf, [](auto run) { laneOf(*run.front())->queue(run); });
  }

  /// Wakes no other lane, and takes no lock of the engine: a read waits for it.
  void submit(std::span<FetchRequest *const> requests) override {
    eachRun(requests, laneOf, [](auto run) {
      laneOf(*run.front())->queue(run);
      laneOf(*run.front())->flush();
    });
  }

  void flush() override {
    const MutexLock lock(mutex_);
    for (Storage &storage : storages_)
      if (storage.lane)
        storage.lane->flush();
  }

  void submitAndRead(FetchRequest &request) override { request.file->lane->submitAndRead(request); }

  void raise(FetchRequest &request) override { request.file->lane->raise(request); }
  bool takeBack(FetchRequest &request) override { return request.file->lane->takeBack(request); }

  const char *name() const override { return latest_.load()->name(); }

private:
  /// Without the lock, since a completion may flush, and without allocating: memory may be short.
  void stopLanes() {
    std::array<FetchLane *, kMaxStorages> lanes{};
    {
      const MutexLock lock(mutex_);
      std::ranges::transform(storages_, lanes.begin(),
                             [](const Storage &storage) { return storage.lane.get(); });
    }
    for (FetchLane *lane : lanes)
      if (lane != nullptr)
        lane->stop();
  }

  static FetchLane *laneOf(const FetchRequest &request) { return request.file->lane; }

  /// Starts the lane if necessary.
  FetchLane *laneFor(const FileSource &source, forerun_rc &rc) {
    const MutexLock lock(mutex_);
    rc = FORERUN_ERR_UNSUPPORTED;
    for (Storage &storage : storages_) {
      if (!storage.backend->serves(source))
        continue;
      rc = FORERUN_OK;
      if (!storage.lane) {
        auto fresh = std::make_unique<FetchLane>(*storage.backend, config_.inFlight, completed_);
        rc = fresh->start();
        if (rc == FORERUN_OK)
          storage.lane = std::move(fresh);
      }
      if (rc == FORERUN_OK)
        return latest_ = storage.lane.get();
    }
    return nullptr;
  }

  const CacheConfig config_;
  const Completed completed_;
  Mutex mutex_;
  /// Constant except for the lanes, which stay once they exist.
  std::vector<Storage> storages_ FORERUN_GUARDED_BY(mutex_);
  std::atomic<FetchLane *> latest_ = nullptr; ///< of the file opened last
  bool stopped_ = false;                      ///< only for the thread that stops or destroys
};

} // namespace

std::unique_ptr<FetchEngine> FetchEngine::create(const CacheConfig &config, Completed completed,
                                                 forerun_rc &rc) {
  rc = FORERUN_ERR_ARGUMENT;
  if (config.inFlight == 0)
    return nullptr;
  auto engine = std::make_unique<Engine>(config, std::move(completed));
  rc = engine->start();
  if (rc != FORERUN_OK)
    return nullptr;
  return engine;
}

} // namespace forerun
