// SPDX-License-Identifier: Apache-2.0
// How long a page takes that another process has, and how long it takes to learn that nobody has it:
// three ranks of one process, with UCX between them (FORERUN_UCX_TLS chooses how). Rank 1 asks, rank 0
// has the pages, rank 2 is their home. One request after the other, over a storage that takes no time.
#include "UcxTransport.h"
#include "peers/PeerEngine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace forerun;

constexpr Rank kRanks = 3;
constexpr std::size_t kPageBytes = 65536;
constexpr std::uint64_t kPages = 2000; ///< of each kind

class InstantStorage final : public FetchEngine {
public:
  explicit InstantStorage(Completed completed) : completed_(std::move(completed)) {}
  FetchFile *openFile(const FileSource & /*source*/, forerun_rc &rc) override {
    rc = FORERUN_OK;
    return &file_;
  }
  void closeFile(FetchFile * /*file*/) override {}
  void queue(std::span<FetchRequest *const> requests) override {
    for (FetchRequest *request : requests) {
      request->bytes = request->length;
      request->finishedNs =
          request->issuedNs + 1'000'000'000; // so that others are asked all the same
      completed_(*request);
    }
  }
  void raise(FetchRequest & /*request*/) override {}
  const char *name() const override { return "instant"; }

private:
  const Completed completed_;
  FetchFile file_;
};

/// A rank, which keeps a page for all that it is asked for.
class Member {
public:
  Member(std::unique_ptr<PeerTransport> transport, Rank self) {
    CacheConfig config;
    config.pageBytes = kPageBytes;
    config.capacityBytes = 4 * kPages * kPageBytes;
    engine_ = PeerEngine::create(
        config, {std::move(transport), self, kRanks, (self + 1) % kRanks},
        [this](const PeerPage &, std::uint32_t, Sectors sectors, std::byte *to) {
          std::copy_n(page_.data(), std::popcount(sectors) * kSectorBytes, to);
          return sectors;
        },
        [this](FetchRequest &) {
          const MutexLock lock(mutex_);
          done_ = true;
          changed_.notify_all();
        },
        [](Completed completed) { return std::make_unique<InstantStorage>(std::move(completed)); });
    forerun_rc rc = FORERUN_OK;
    file_ = engine_->openFile({}, rc);
  }

  /// Microseconds until it is there. \p peerBytes: what came from another.
  double get(std::uint64_t page, std::size_t bytes, std::size_t &peerBytes) {
    FetchRequest request;
    request.file = file_;
    request.offset = page * kPageBytes;
    request.length = bytes;
    request.buffer = buffer_.data();
    request.kind = FetchKind::Demand;
    request.peerPage = {page, kRanks};
    const auto before = std::chrono::steady_clock::now();
    engine_->submitAndRead(request);
    MutexLock lock(mutex_);
    while (!done_)
      lock.wait(changed_);
    done_ = false;
    peerBytes = request.peerBytes;
    const auto took = std::chrono::steady_clock::now() - before;
    return std::chrono::duration<double, std::micro>(took).count();
  }

private:
  std::vector<std::byte> page_ = std::vector<std::byte>(kPageBytes);
  std::vector<std::byte> buffer_ = std::vector<std::byte>(kPageBytes);
  Mutex mutex_;
  std::condition_variable changed_;
  bool done_ FORERUN_GUARDED_BY(mutex_) = false;
  FetchFile *file_ = nullptr;
  std::unique_ptr<PeerEngine> engine_;
};

/// Pages whose home is rank 2.
std::vector<std::uint64_t> pagesFrom(std::uint64_t first) {
  const BlockCyclic placement(kRanks);
  std::vector<std::uint64_t> pages;
  for (std::uint64_t page = first; pages.size() < kPages; ++page)
    if (placement.homeOf({page, kRanks}) == 2)
      pages.push_back(page);
  return pages;
}

void measure(const char *what, Member &member, const std::vector<std::uint64_t> &pages,
             std::size_t bytes, bool isElsewhere) {
  std::vector<double> times;
  for (const std::uint64_t page : pages) {
    std::size_t peerBytes = 0;
    const double took = member.get(page, bytes, peerBytes);
    if ((peerBytes == bytes) == isElsewhere)
      times.push_back(took);
  }
  std::ranges::sort(times);
  std::printf("%-28s %9zu %10.1f %10.1f\n", what, times.size(), times.at(times.size() / 2),
              times.at(times.size() * 9 / 10));
}

} // namespace

int main() {
  std::vector<std::unique_ptr<PeerTransport>> transports;
  std::vector<std::string> addresses;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    transports.push_back(makeUcxTransport(rank));
    if (transports.back() == nullptr) {
      std::fprintf(stderr, "error: UCX finds no network\n");
      return 1;
    }
    addresses.push_back(transports.back()->address());
  }
  std::vector<std::unique_ptr<Member>> members;
  for (Rank rank = 0; rank < kRanks; ++rank) {
    transports[rank]->setAddresses(addresses);
    members.push_back(std::make_unique<Member>(std::move(transports[rank]), rank));
  }
  const std::vector<std::uint64_t> pages = pagesFrom(0), more = pagesFrom(pages.back() + 1),
                                   others = pagesFrom(more.back() + 1);
  std::size_t none = 0;
  for (const auto *each : {&pages, &more})
    for (const std::uint64_t page : *each)
      (void)members[0]->get(page, kPageBytes, none);
  std::printf("one rank asks                 requests  median us    90 %% us\n");
  measure("look-up, nobody has it", *members[1], others, kPageBytes, false);
  measure("hit elsewhere, 4 KiB", *members[1], pages, kSectorBytes, true);
  measure("hit elsewhere, 64 KiB", *members[1], more, kPageBytes, true);
  return 0;
}
