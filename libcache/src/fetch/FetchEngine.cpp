// SPDX-License-Identifier: Apache-2.0
#include "fetch/FetchEngine.h"

#include "fetch/FetchLane.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace forerun {

namespace {

/// Every backend there is, the better first where several serve a file.
constexpr std::array kBackends{&kIoUringBackend, &kThreadBackend, &kReaderBackend};

/// The choice is between those that read through a descriptor.
bool allowed(const Backend &backend, IoEngine engine) {
  if (engine == IoEngine::IoUring)
    return &backend != &kThreadBackend;
  if (engine == IoEngine::Threads)
    return &backend != &kIoUringBackend;
  return true;
}

/// A lane for each backend in use: one is there from the start, others start with the first file
/// that needs them.
class Engine final : public FetchEngine {
public:
  Engine(const CacheConfig &config, Completed completed)
      : config_(config), completed_(std::move(completed)) {}

  ~Engine() override {
    for (auto &lane : lanes_)
      lane->stop();
  }
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// Starts a lane for any file with a descriptor.
  forerun_rc start() {
    const FileSource anyPosix{.path = {}, .fd = 0, .fileSystem = {}, .reader = {}};
    forerun_rc rc = FORERUN_ERR_UNSUPPORTED;
    for (const Backend *backend : kBackends)
      if (!latest_ && backend->serves(anyPosix) && allowed(*backend, config_.engine))
        latest_ = lane(*backend, rc);
    return latest_ ? FORERUN_OK : rc;
  }

  FetchFile *openFile(const FileSource &source, forerun_rc &rc) override {
    FetchLane *lane = laneFor(source, rc);
    return lane ? lane->openFile(source, config_.direct, rc) : nullptr;
  }

  void closeFile(FetchFile *file) override { file->lane->closeFile(file); }

  void submit(std::span<FetchRequest *const> requests) override {
    eachLane(requests, [](FetchLane &lane, auto part) {
      lane.queue(part);
      lane.flush();
    });
  }

  void queue(std::span<FetchRequest *const> requests) override {
    eachLane(requests, [](FetchLane &lane, auto part) { lane.queue(part); });
  }

  void flush() override {
    std::lock_guard lock(mutex_);
    for (auto &lane : lanes_)
      lane->flush();
  }

  void submitAndRead(FetchRequest &request) override { request.file->lane->submitAndRead(request); }

  void raise(FetchRequest &request) override { request.file->lane->raise(request); }

  const char *name() const override { return latest_.load()->backend().name; }
  unsigned inFlightLimit() const override { return latest_.load()->limit(); }

private:
  /// Calls \p action with each run of requests of one lane.
  template <typename Action>
  static void eachLane(std::span<FetchRequest *const> requests, Action action) {
    while (!requests.empty()) {
      FetchLane *lane = requests.front()->file->lane;
      auto otherLane = [lane](const FetchRequest *request) { return request->file->lane != lane; };
      auto count = std::ranges::find_if(requests, otherLane) - requests.begin();
      action(*lane, requests.first(count));
      requests = requests.subspan(count);
    }
  }

  FetchLane *laneFor(const FileSource &source, forerun_rc &rc) {
    std::lock_guard lock(mutex_);
    rc = FORERUN_ERR_UNSUPPORTED;
    for (const Backend *backend : kBackends) {
      if (!backend->serves(source) || !allowed(*backend, config_.engine))
        continue;
      if (FetchLane *found = lane(*backend, rc))
        return latest_ = found;
    }
    return nullptr;
  }

  /// The lane of \p backend, started if need be. With the lock held (or alone).
  FetchLane *lane(const Backend &backend, forerun_rc &rc) {
    rc = FORERUN_OK;
    for (auto &lane : lanes_)
      if (&lane->backend() == &backend)
        return lane.get();
    auto fresh = std::make_unique<FetchLane>(backend, config_.inFlight, completed_);
    rc = fresh->start();
    if (rc != FORERUN_OK)
      return nullptr;
    return lanes_.emplace_back(std::move(fresh)).get();
  }

  const CacheConfig config_;
  const Completed completed_;
  std::mutex mutex_; // protects the list; a lane stays until the engine ends
  std::vector<std::unique_ptr<FetchLane>> lanes_;
  std::atomic<FetchLane *> latest_ = nullptr; ///< of the file opened last
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
