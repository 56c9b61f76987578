// SPDX-License-Identifier: Apache-2.0
#include "channels/Progress.h"

#include <bit>
#include <new>

namespace forerun {
namespace {

constexpr std::size_t kFirstBlock = 8;

} // namespace

Progress::Progress(int sites)
    : count_(sites > 0 ? sites : 0), sites_(std::make_unique<Site[]>(count_)) {}

Progress::~Progress() {
  for (int site = 0; site < count_; ++site)
    for (auto &block : sites_[site].blocks)
      delete[] block.load(std::memory_order_relaxed);
}

std::size_t Progress::sizeOf(unsigned block) { return kFirstBlock << block; }

Progress::Place Progress::placeOf(std::uint64_t occurrence) {
  const std::uint64_t whole = std::bit_floor(occurrence / kFirstBlock + 1);
  return {static_cast<unsigned>(std::countr_zero(whole)), occurrence - kFirstBlock * (whole - 1)};
}

void Progress::pass(int site, const OpenedFile &opened) {
  if (!isSite(site))
    return;
  if (opened.file != MPI_FILE_NULL)
    noteOpen(site, opened); // published by the increments below
  const std::uint64_t passed = sites_[site].passed.fetch_add(1) + 1;
  const std::uint64_t passes = passes_.fetch_add(1) + 1;
  // Sequentially consistent: either this sees the waiter, or the waiter sees the pass.
  if (awaited_.isPassedBy(site, passed) || awaitedToo_.isPassedBy(site, passed))
    changed_.notify();
  EventCount *const watcher = watcher_.load();
  if (watcher != nullptr && (passes >= watchedPass_.load() || watched_.isPassedBy(site, passed)))
    watcher->notify();
}

void Progress::watch(EventCount *wake, std::uint64_t after, std::optional<CallId> call) {
  watchedPass_.store(passes_.load() + after);
  if (call)
    watched_.set(*call);
  else
    watched_.clear();
  watcher_.store(wake);
}

void Progress::noteOpen(int site, const OpenedFile &opened) {
  Site &here = sites_[site];
  const auto [block, index] = placeOf(here.passed.load(std::memory_order_relaxed));
  OpenedFile *opens = here.blocks[block].load(std::memory_order_relaxed);
  if (opens == nullptr) {
    opens = new (std::nothrow) OpenedFile[sizeOf(block)];
    here.blocks[block].store(opens, std::memory_order_release);
  }
  if (opens != nullptr)
    opens[index] = opened;
}

bool Progress::hasPassed(CallId call) const {
  return !isSite(call.site) || sites_[call.site].passed.load() > call.occurrence;
}

std::uint64_t Progress::passed(int site) const {
  return isSite(site) ? sites_[site].passed.load() : 0;
}

int Progress::sites() const { return count_; }

void Progress::waitUntilPassed(CallId call, CallId other) {
  const auto isOver = [&] { return hasPassed(call) || hasPassed(other); };
  if (isOver())
    return;
  awaited_.set(call);
  if (other == call)
    awaitedToo_.clear();
  else
    awaitedToo_.set(other);
  while (!isOver()) {
    const auto key = changed_.prepare();
    if (isOver())
      changed_.cancel();
    else
      changed_.wait(key);
  }
  awaited_.clear();
  awaitedToo_.clear();
}

OpenedFile Progress::opened(CallId call) const {
  if (!isSite(call.site) || !hasPassed(call))
    return {};
  const auto [block, index] = placeOf(call.occurrence);
  // For a call that opened nothing, no pass has published the block; a later call may have made it.
  const OpenedFile *opens = sites_[call.site].blocks[block].load(std::memory_order_acquire);
  return opens == nullptr ? OpenedFile{} : opens[index];
}

} // namespace forerun
