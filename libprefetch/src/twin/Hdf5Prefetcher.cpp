// SPDX-License-Identifier: Apache-2.0
#include "twin/Hdf5Prefetcher.h"

#include <chrono>
#include <exception>
#include <utility>

namespace forerun {

Hdf5Prefetcher::Hdf5Prefetcher(const Hdf5Twin::Surroundings &around, std::string library,
                               std::function<void(const std::string &)> say)
    : library_(std::move(library)), say_(std::move(say)), thread_([this] { work(); }),
      twin_(around, thread_) {}

void Hdf5Prefetcher::post(Hdf5Read read) {
  const MutexLock lock(mutex_);
  if (closed_)
    return;
  if (!started_ && !thread_.start()) {
    closed_ = true;
    say_("nothing of HDF5 is prefetched: no thread could be created");
    return;
  }
  started_ = true;
  const std::size_t bytes = read.bytes();
  if (queue_.size() == kMaxReads || bytes > kMaxBytes - bytes_) {
    if (!std::exchange(saidFull_, true))
      say_("a read of HDF5 is not prefetched: too many wait already");
    return;
  }
  queue_.push_back(std::move(read));
  bytes_ += bytes;
  posted_.notify_one();
}

void Hdf5Prefetcher::awaitIdle() {
  MutexLock lock(mutex_);
  while (!closed_ && (busy_ || !queue_.empty()))
    lock.wait(idle_);
}

void Hdf5Prefetcher::stop() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
    posted_.notify_all();
    idle_.notify_all();
  }
  thread_.stop();
}

bool Hdf5Prefetcher::take(Hdf5Read &read) {
  MutexLock lock(mutex_);
  busy_ = false;
  while (!closed_ && queue_.empty()) {
    idle_.notify_all();
    lock.wait(posted_);
  }
  if (closed_)
    return false;
  busy_ = true;
  read = std::move(queue_.front());
  queue_.pop_front();
  bytes_ -= read.bytes();
  return true;
}

void Hdf5Prefetcher::giveUp(const std::string &why) {
  const MutexLock lock(mutex_);
  if (!closed_) // not because the program ends
    say_("nothing of HDF5 is prefetched any more: " + why);
  closed_ = true;
  queue_.clear();
  idle_.notify_all();
}

bool Hdf5Prefetcher::load() {
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  std::string whyNot;
  if (!twin_.load(library_, whyNot)) {
    giveUp("no twin of " + library_ + ": " + whyNot);
    return false;
  }
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - before);
  say_("a twin of " + library_ + " has been loaded, in " + std::to_string(took.count()) + " ms");
  return true;
}

void Hdf5Prefetcher::work() {
  try {
    Hdf5Read read;
    for (bool loaded = false; take(read); loaded = true) {
      if (!loaded && !load())
        return;
      const Hdf5Twin::Result result = twin_.announce(read);
      if (result == Hdf5Twin::Result::Ended)
        return giveUp(std::string("its twin has ended: ") + thread_.why());
      if (result == Hdf5Twin::Result::Unknown && !std::exchange(saidUnknown_, true))
        say_("what is read of data set " + read.dataset + " cannot be told");
    }
  } catch (const std::exception &) {
    giveUp("there was no memory");
  }
}

} // namespace forerun
