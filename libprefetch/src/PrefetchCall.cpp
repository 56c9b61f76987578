// SPDX-License-Identifier: Apache-2.0
#include "PrefetchCall.h"

#include "DataLayout.h"
#include "Runtime.h"

#include <algorithm>
#include <optional>
#include <sys/stat.h>

namespace forerun {

namespace {

constexpr std::uint64_t kNowhere = PrefetchPointer::kNowhere;

/// \p base moved by \p by etypes; kNowhere if that is in front of the view.
std::uint64_t moved(std::uint64_t base, MPI_Offset by) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(static_cast<std::int64_t>(base), static_cast<std::int64_t>(by),
                             &sum) ||
      sum < 0)
    return kNowhere;
  return static_cast<std::uint64_t>(sum);
}

/// The etype of the view at which the file ends now. The system call sets no errno of another
/// thread, and takes no lock of this process.
std::uint64_t endOfFile(const forerun_handle &handle, const FileView &view) {
  struct stat status{};
  const int fd = handle.fd.load(std::memory_order_relaxed);
  if (fd < 0 || ::fstat(fd, &status) != 0 || !view.known())
    return kNowhere;
  const std::uint64_t byte = view.firstByteAtOrBehind(static_cast<std::uint64_t>(status.st_size));
  return (byte + view.etypeBytes() - 1) / view.etypeBytes();
}

} // namespace

void beginPointer(PrefetchPointer &pointer, const forerun_handle &handle,
                  std::uint32_t generation) {
  if (pointer.generation == generation)
    return;
  const Runtime::Unstoppable unstoppable; // the old view's memory is given back
  pointer = PrefetchPointer{};
  pointer.generation = generation;
  pointer.position = handle.startByte.load(std::memory_order_relaxed);
}

void setPointerView(PrefetchPointer &pointer, MPI_Offset displacement, MPI_Datatype etype,
                    MPI_Datatype filetype) {
  const Runtime::Unstoppable unstoppable;
  pointer.view.set(displacement, etype, filetype);
  pointer.position = 0;
  pointer.sharedPosition = 0;
}

PrefetchCall::PrefetchCall(forerun_handle &handle, std::uint32_t generation,
                           PrefetchPointer &pointer, Stream &stream, CallId call, bool passed)
    : handle_(handle), generation_(generation), pointer_(pointer), stream_(stream), call_(call),
      passed_(passed) {
  beginPointer(pointer_, handle_, generation_);
}

void PrefetchCall::read(std::uint64_t bytes) {
  announceRead(pointer_.position, bytes);
  advance(bytes);
}

void PrefetchCall::readAt(MPI_Offset offset, std::uint64_t bytes) {
  announceRead(moved(0, offset), bytes);
}

void PrefetchCall::readShared(std::uint64_t bytes) {
  const std::uint64_t etypes = bytes / pointer_.view.etypeBytes();
  const auto rank = static_cast<std::uint64_t>(handle_.rank);
  const auto ranks = static_cast<std::uint64_t>(handle_.ranks);
  announceRead(pointer_.sharedPosition + rank * etypes, bytes);
  pointer_.sharedPosition += ranks * etypes;
}

void PrefetchCall::write(std::uint64_t bytes) {
  announceWrite(pointer_.position, bytes);
  advance(bytes);
}

void PrefetchCall::writeAt(MPI_Offset offset, std::uint64_t bytes) {
  announceWrite(moved(0, offset), bytes);
}

void PrefetchCall::sync() {
  if (!passed_)
    stream_.push(record(RecordKind::Sync));
}

Brought PrefetchCall::bring(void *buffer, int count, MPI_Datatype datatype) {
  const Brought brought = bringFrom(pointer_.position, buffer, count, datatype);
  const Runtime::Unstoppable unstoppable; // asks MPI for the size of a derived datatype
  advance(dataBytes(count, datatype));
  return brought;
}

Brought PrefetchCall::bringAt(MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype) {
  return bringFrom(moved(0, offset), buffer, count, datatype);
}

void PrefetchCall::seek(MPI_Offset offset, int whence) {
  std::uint64_t base = kNowhere;
  if (whence == MPI_SEEK_SET)
    base = 0;
  else if (whence == MPI_SEEK_CUR)
    base = pointer_.position;
  else if (whence == MPI_SEEK_END)
    base = endOfFile(handle_, pointer_.view);
  pointer_.position = base == kNowhere ? kNowhere : moved(base, offset);
}

void PrefetchCall::setView(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  setPointerView(pointer_, displacement, etype, filetype);
}

Record PrefetchCall::record(RecordKind kind) const {
  Record made;
  made.kind = kind;
  made.slot = handle_.slot;
  made.generation = generation_;
  made.call = call_;
  return made;
}

void PrefetchCall::advance(std::uint64_t bytes) {
  if (pointer_.position != kNowhere)
    pointer_.position += bytes / pointer_.view.etypeBytes();
}

void PrefetchCall::announceRead(std::uint64_t position, std::uint64_t bytes) {
  if (byHand() || !passed_)
    announce(RecordKind::Prefetch, position, bytes);
}

void PrefetchCall::announceWrite(std::uint64_t position, std::uint64_t bytes) {
  if (!passed_)
    announce(RecordKind::Write, position, bytes);
}

void PrefetchCall::announce(RecordKind kind, std::uint64_t position, std::uint64_t bytes) {
  std::uint64_t start = 0;
  if (__builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start))
    return;
  Record pending = record(kind);
  bool open = true;
  pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t end = pending.offset + pending.length;
    if (pending.length > 0 && offset >= end && offset - end < kSectorBytes) {
      pending.length = offset + length - pending.offset;
      return true;
    }
    if (pending.length > 0) {
      pending.last = false;
      open = stream_.push(pending);
    }
    pending.offset = offset;
    pending.length = length;
    return open;
  });
  pending.last = true;
  if (open && pending.length > 0)
    stream_.push(pending);
}

Brought PrefetchCall::bringFrom(std::uint64_t position, void *buffer, int count,
                                MPI_Datatype datatype) {
  std::optional<DataLayout> layout;
  {
    const Runtime::Unstoppable unstoppable;
    layout.emplace(count, datatype);
  }
  std::uint64_t start = 0;
  Brought brought{0, !layout->known() || !pointer_.view.known()};
  if (!__builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start)) {
    Record ask = record(RecordKind::Read);
    pointer_.view.forEachRange(start, layout->bytes(),
                               [&](std::uint64_t offset, std::uint64_t length) {
                                 for (std::size_t came = 0; length > 0;
                                      offset += came, length -= came, brought.bytes += came) {
                                   ask.offset = offset;
                                   ask.length = std::min(length, kReadBytes);
                                   const void *data = stream_.exchange(ask, came);
                                   brought.failed = data == nullptr || came > ask.length;
                                   if (brought.failed || came == 0)
                                     return false;
                                   layout->scatter(buffer, brought.bytes, data, came);
                                 }
                                 return true;
                               });
  }
  const Runtime::Unstoppable unstoppable;
  layout.reset();
  return brought;
}

} // namespace forerun
