// SPDX-License-Identifier: Apache-2.0
#include "twin/Hdf5Twin.h"

#include "twin/LoadTwin.h"
#include "twin/LoadedLibrary.h"

#include <exception>
#include <sys/stat.h>
#include <utility>

namespace forerun {
namespace {

constexpr unsigned kSlotBits = 32;

/// A slot is reused with another generation.
std::uint64_t numberOf(std::uint32_t slot, std::uint32_t generation) {
  return (std::uint64_t{generation} << kSlotBits) | slot;
}
std::uint32_t slotOf(std::uint64_t file) { return static_cast<std::uint32_t>(file); }
std::uint32_t generationOf(std::uint64_t file) {
  return static_cast<std::uint32_t>(file >> kSlotBits);
}

} // namespace

Hdf5Twin::Hdf5Twin(Surroundings around, TwinThread &thread)
    : around_(std::move(around)), thread_(thread), host_{.context = this,
                                                         .size = size,
                                                         .fetch = fetch,
                                                         .announce = noteRange,
                                                         .opened = nullptr,
                                                         .find = nullptr,
                                                         .rank = nullptr,
                                                         .dirty = nullptr,
                                                         .announced = nullptr,
                                                         .await = nullptr,
                                                         .own = nullptr,
                                                         .end = nullptr} {}

bool Hdf5Twin::load(const std::string &library, std::string &whyNot) {
  if (!loadTwin(space_, {.library = "hdf5", .path = library, .function = "H5open"}, whyNot))
    return false;
  auto *const begin =
      reinterpret_cast<decltype(forerun_hdf5_begin) *>(space_.symbol("forerun_hdf5_begin"));
  auto *const announce =
      reinterpret_cast<decltype(forerun_hdf5_announce) *>(space_.symbol("forerun_hdf5_announce"));
  if (begin == nullptr || announce == nullptr) {
    whyNot = pathOfModule("hdf5") + " is not there, or of another version of Forerun";
    return false;
  }
  const char *refused = nullptr;
  const bool came = thread_.inside([&] {
    space_.enterThread();
    refused = begin(&host_);
  });
  if (!came || refused != nullptr) {
    whyNot = came ? refused : thread_.why();
    return false;
  }
  announce_ = announce;
  return true;
}

Hdf5Twin::Result Hdf5Twin::announce(const Hdf5Read &read) {
  const forerun_hdf5_read asked{.file = numberOf(read.slot, read.generation),
                                .dataset = read.dataset.c_str(),
                                .selection =
                                    read.selection.empty() ? nullptr : read.selection.data(),
                                .whole_chunk_bytes = read.wholeChunkBytes};
  Record first;
  first.slot = read.slot;
  first.generation = read.generation;
  RangeRecords records(around_.hand, first);
  records_ = &records;
  int rc = -1;
  const bool came = thread_.inside([&] { rc = announce_(&asked); });
  const MutexLock lock(around_.handles.handMutex());
  records.finish();
  if (!came)
    return Result::Ended;
  return rc == 0 ? Result::Announced : Result::Unknown;
}

// ---- what the twin calls back ----

int Hdf5Twin::size(void *self, std::uint64_t file, std::uint64_t *bytes) {
  const TwinThread::Outside outside;
  const Surroundings &around = static_cast<Hdf5Twin *>(self)->around_;
  const HandleUse use(around.handles, around.files, slotOf(file), generationOf(file));
  const forerun_handle *const handle =
      use ? around.handles.at(slotOf(file), generationOf(file)) : nullptr;
  struct stat status{};
  if (handle == nullptr || ::fstat(handle->fd.load(), &status) != 0)
    return 0;
  *bytes = static_cast<std::uint64_t>(status.st_size);
  return 1;
}

int Hdf5Twin::fetch(void *self, std::uint64_t file, std::uint64_t offset, void *buffer,
                    std::size_t length, std::size_t *got) {
  const TwinThread::Outside outside;
  try {
    return static_cast<Hdf5Twin *>(self)->fetch(file, offset, buffer, length, *got) ? 1 : 0;
  } catch (const std::exception &) { // no memory
    return 0;
  }
}

bool Hdf5Twin::fetch(std::uint64_t file, std::uint64_t offset, void *buffer, std::size_t length,
                     std::size_t &got) {
  const HandleUse use(around_.handles, around_.files, slotOf(file), generationOf(file));
  if (!use)
    return false;
  Cache &cache = *around_.cache();
  use.open().serve(cache);
  const ReadResult result = cache.readThrough(use.cached(), buffer, offset, length, 0);
  got = result.bytes;
  return result.outcome != Outcome::Miss;
}

void Hdf5Twin::noteRange(void *self, std::uint64_t /*file*/, std::uint64_t offset,
                         std::uint64_t length) {
  const TwinThread::Outside outside;
  auto *const twin = static_cast<Hdf5Twin *>(self);
  const MutexLock lock(twin->around_.handles.handMutex());
  twin->records_->add(offset, length);
}

} // namespace forerun
