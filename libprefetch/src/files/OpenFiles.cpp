// SPDX-License-Identifier: Apache-2.0
#include "files/OpenFiles.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace forerun {

void OpenFile::serve(Cache &cache) {
  if (!volatileKnown.load(std::memory_order_acquire)) {
    const MutexLock lock(writers);
    // The cache was not told of what has been written so far. It has nothing of the file itself;
    // what other processes of its pool have may be older than that.
    if ((touched.fetch_or(kServed) & kWritten) != 0)
      cache.newEpoch(*cached, nullptr);
    if (unknownWriters != 0)
      cache.setVolatile(*cached, this, 0, std::numeric_limits<std::uint64_t>::max());
    volatileKnown.store(true, std::memory_order_release);
  }
  if (!serving.load(std::memory_order_relaxed))
    serving.store(true, std::memory_order_relaxed);
}

bool OpenFile::leaveUnknown(forerun_handle &handle) {
  const MutexLock lock(writers);
  if ((touched.load(std::memory_order_relaxed) & kServed) != 0)
    return false;
  unknownWriters += handle.unknownWrites ? 0 : 1;
  handle.unknownWrites = true;
  return true;
}

void OpenFile::settle(Cache &cache, forerun_handle &handle) {
  {
    const MutexLock lock(writers);
    if (std::exchange(handle.unknownWrites, false) && --unknownWriters == 0)
      cache.newEpoch(*cached, this);
  }
  cache.newEpoch(*cached, &handle);
}

OpenFile *OpenFiles::add(const FileIdentity &identity, CachedFile *cached, FileStats *stats) {
  const MutexLock lock(mutex_);
  const auto known = files_.find(identity);
  auto &file = known != files_.end()
                   ? known->second
                   : files_.emplace(identity, std::make_unique<OpenFile>()).first->second;
  if (file->handles == 0) {
    file->number = ++numbers_;
    file->identity = identity;
    file->cached = cached;
    file->stats = stats;
    const MutexLock notShared(file->writers);
    for (forerun_handle *handle : uncached_)
      if (handle->identity == identity) {
        handle->unknownWrites = handle->posted;
        file->unknownWriters += handle->posted ? 1 : 0;
      }
  }
  ++file->handles;
  return file.get();
}

void OpenFiles::drop(OpenFile *file) {
  const MutexLock lock(mutex_);
  if (--file->handles != 0)
    return;
  const FileIdentity identity = file->identity;
  files_.erase(identity);
  closings_.fetch_add(1, std::memory_order_release);
}

void OpenFiles::addUncached(forerun_handle &handle) {
  const MutexLock lock(mutex_);
  uncached_.push_back(&handle);
}

void OpenFiles::dropUncached(forerun_handle &handle) {
  const MutexLock lock(mutex_);
  std::erase(uncached_, &handle);
}

bool OpenFiles::setAtomic(forerun_handle &handle, bool atomic) {
  const MutexLock lock(mutex_);
  unsigned &count = handle.open->atomicHandles;
  count = count - (handle.atomic ? 1 : 0) + (atomic ? 1 : 0);
  handle.atomic = atomic;
  return count != 0 || distrusted();
}

void OpenFiles::noteShared(OpenFile &file) {
  const MutexLock lock(mutex_);
  file.isShared = true;
  haveShared_.store(true, std::memory_order_relaxed);
}

void OpenFiles::outdateShared(Cache &cache) {
  const MutexLock lock(mutex_);
  for (auto &[identity, file] : files_)
    if (file->isShared)
      cache.newEpoch(*file->cached, nullptr);
}

void OpenFiles::distrustAll(Cache *cache) {
  const MutexLock lock(mutex_);
  distrusted_.store(true, std::memory_order_relaxed);
  if (cache != nullptr)
    for (auto &[identity, file] : files_)
      cache->setAtomic(*file->cached, true);
}

void OpenFiles::stopServing() {
  const MutexLock lock(mutex_);
  for (auto &[identity, file] : files_)
    if (!file->always.load(std::memory_order_relaxed))
      file->serving.store(false, std::memory_order_relaxed);
}

bool OpenFiles::isOpen(std::uint64_t number) const {
  const MutexLock lock(mutex_);
  return std::any_of(files_.begin(), files_.end(),
                     [&](const auto &entry) { return entry.second->number == number; });
}

void OpenFiles::waitUntilUnused(const forerun_handle &handle) {
  while (handle.users.load() != 0) {
    const auto key = released_.prepare();
    if (handle.users.load() == 0)
      released_.cancel();
    else
      released_.wait(key);
  }
}

HandleUse::HandleUse(HandleTable &handles, OpenFiles &files, std::uint32_t slot,
                     std::uint32_t generation)
    : files_(files), handle_(handles.at(slot, generation)) {
  if (handle_ == nullptr)
    return;
  handle_->users.fetch_add(1);
  // Either detach sees this count, or this sees that the generation has ended.
  if (handle_->generation.load() == generation && handle_->open != nullptr)
    return;
  handle_->users.fetch_sub(1);
  files_.released().notify();
  handle_ = nullptr;
}

HandleUse::~HandleUse() {
  if (handle_ == nullptr)
    return;
  handle_->users.fetch_sub(1);
  files_.released().notify();
}

} // namespace forerun
