// SPDX-License-Identifier: Apache-2.0
#include "calls/PrefetchCall.h"

#include "channels/RangeRecords.h"
#include "thread/PreThread.h"
#include "thread/PrivateFetch.h"
#include "types/DataLayout.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <sys/stat.h>

namespace forerun {

namespace {

constexpr std::uint64_t kNowhere = PrefetchPointer::kNowhere;

/// After so many of a call's pieces in a row that lie beyond the end of the file, no more are looked at: a
/// view's pieces ascend, but for those of tiles that overlap.
constexpr std::uint32_t kMaxBeyondEnd = 4096;

/// \p base moved by \p by etypes; kNowhere if that is before the start of the view.
std::uint64_t moved(std::uint64_t base, MPI_Offset by) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(static_cast<std::int64_t>(base), static_cast<std::int64_t>(by),
                             &sum) ||
      sum < 0)
    return kNowhere;
  return static_cast<std::uint64_t>(sum);
}

/// From byte \p from of the data on: better than what the memory happens to hold.
template <typename MayWrite>
void fillWithZeros(const DataLayout &layout, void *buffer, std::uint64_t from,
                   const MayWrite &mayWrite) {
  static constexpr std::array<std::byte, 4096> kZeros{};
  for (std::size_t some = 0; from < layout.bytes(); from += some) {
    some = std::min<std::uint64_t>(kZeros.size(), layout.bytes() - from);
    layout.scatter(buffer, from, kZeros.data(), some, mayWrite);
  }
}

/// The etype of the view at which the file ends now. The system call sets no errno of another
/// thread, and takes no lock of this process.
std::uint64_t endOfFile(const OpenedFile &file, const FileView &view) {
  struct stat status{};
  if (!file.lookUp(status) || !view.known())
    return kNowhere;
  const std::uint64_t byte = view.firstByteAtOrAfter(static_cast<std::uint64_t>(status.st_size));
  return (byte + view.etypeBytes() - 1) / view.etypeBytes();
}

} // namespace

std::uint64_t bytesOf(int count, MPI_Datatype datatype) {
  const PreThread::Unstoppable unstoppable;
  return dataBytes(count, datatype);
}

PrefetchCall::PrefetchCall(const OpenedFile &file, PrefetchPointer &pointer, Stream &stream,
                           CallId call, bool passed, CheckLog *check)
    : file_(file), pointer_(pointer), stream_(stream), call_(call), passed_(passed), check_(check) {
  const PreThread::Unstoppable unstoppable; // an old view's memory is freed
  pointer_.follow(file_);
}

PrefetchCall::PrefetchCall(const OpenedFile &file, PrefetchPointer &pointer, Stream &stream,
                           HandDirt &dirt, std::uint64_t number)
    : PrefetchCall(file, pointer, stream, CallId{.occurrence = dirt.newest()}, true) {
  dirt_ = &dirt;
  number_ = number;
}

void PrefetchCall::read(std::uint64_t bytes) {
  pushRead(pointer_.position, bytes);
  advance(beforeEnd(bytes));
}

void PrefetchCall::readAt(MPI_Offset offset, std::uint64_t bytes) {
  pushRead(moved(0, offset), bytes);
}

void PrefetchCall::readShared(std::uint64_t bytes) { pushRead(takeShared(bytes), bytes); }

/// Where this rank reads at the shared file pointer; moves that on for all ranks.
std::uint64_t PrefetchCall::takeShared(std::uint64_t bytes) {
  const std::uint64_t etypes = bytes / pointer_.view.etypeBytes();
  const std::uint64_t begin =
      pointer_.sharedPosition + static_cast<std::uint64_t>(file_.rank) * etypes;
  pointer_.sharedPosition += static_cast<std::uint64_t>(file_.ranks) * etypes;
  return begin;
}

void PrefetchCall::write(std::uint64_t bytes) {
  pushWrite(pointer_.position, bytes);
  advance(bytes);
}

void PrefetchCall::writeAt(MPI_Offset offset, std::uint64_t bytes) {
  pushWrite(moved(0, offset), bytes);
}

void PrefetchCall::sync() {
  if (!passed_)
    stream_.push(record(RecordKind::Sync));
}

Brought PrefetchCall::bring(void *buffer, int count, MPI_Datatype datatype) {
  const Brought brought = bringFrom(pointer_.position, buffer, count, datatype);
  // As in MPI-IO: the pointer stops at the end of the file, but not in a view with holes.
  advance(pointer_.view.isContiguous() ? brought.bytes : bytesOf(count, datatype));
  return brought;
}

Brought PrefetchCall::bringShared(void *buffer, int count, MPI_Datatype datatype) {
  return bringFrom(takeShared(bytesOf(count, datatype)), buffer, count, datatype);
}

Brought PrefetchCall::bringAt(MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype) {
  return bringFrom(moved(0, offset), buffer, count, datatype);
}

Brought PrefetchCall::count(std::uint64_t bytes) {
  const Brought counted = countFrom(pointer_.position, bytes);
  if (!counted.failed)
    advance(pointer_.view.isContiguous() ? counted.bytes : bytes);
  return counted;
}

Brought PrefetchCall::countAt(MPI_Offset offset, std::uint64_t bytes) {
  return countFrom(moved(0, offset), bytes);
}

void PrefetchCall::seek(MPI_Offset offset, int whence) {
  std::uint64_t base = kNowhere;
  if (whence == MPI_SEEK_SET)
    base = 0;
  else if (whence == MPI_SEEK_CUR)
    base = pointer_.position;
  else if (whence == MPI_SEEK_END)
    base = endOfFile(file_, pointer_.view);
  pointer_.position = base == kNowhere ? kNowhere : moved(base, offset);
}

void PrefetchCall::setView(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
  const PreThread::Unstoppable unstoppable;
  pointer_.setView(displacement, etype, filetype);
}

Record PrefetchCall::record(RecordKind kind) const {
  Record made;
  made.kind = kind;
  made.slot = file_.slot;
  made.generation = file_.generation;
  made.call = call_;
  return made;
}

void PrefetchCall::advance(std::uint64_t bytes) {
  if (pointer_.position != kNowhere)
    pointer_.position += bytes / pointer_.view.etypeBytes();
}

void PrefetchCall::pushRead(std::uint64_t position, std::uint64_t bytes) {
  if (byHand() || !passed_ || isChecked())
    pushRanges(RecordKind::Prefetch, position, bytes);
}

void PrefetchCall::pushWrite(std::uint64_t position, std::uint64_t bytes) {
  if (dirt_ != nullptr)
    markDirty(position, bytes);
  else if (!passed_)
    pushRanges(RecordKind::Write, position, bytes);
}

/// Exactly the bytes that the write will change: what lay between them would stay dirty.
void PrefetchCall::markDirty(std::uint64_t position, std::uint64_t bytes) {
  std::uint64_t start = 0;
  if (!__builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start))
    pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
      return dirt_->add(number_, offset, length);
    });
}

void PrefetchCall::tellPredictions(std::uint64_t start, std::uint64_t bytes) const {
  PreThread *const self = PreThread::predicting();
  if (self == nullptr || byHand() || !self->notesAnnounced())
    return;
  Record call = record(RecordKind::Prefetch);
  call.length = bytes;
  pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t /*length*/) {
    call.offset = offset;
    return false;
  });
  self->noteAnnounced(call);
}

void PrefetchCall::pushRanges(RecordKind kind, std::uint64_t position, std::uint64_t bytes) {
  std::uint64_t start = 0;
  if (__builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start))
    return;
  if (kind == RecordKind::Prefetch)
    tellPredictions(start, bytes);
  if (kind == RecordKind::Prefetch && isChecked()) {
    note(start, bytes);
    return;
  }
  RangeRecords records(stream_, record(kind));
  std::uint32_t beyond = 0;
  pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
    if (kind != RecordKind::Prefetch)
      return records.add(offset, length);
    const std::uint64_t end = endFor(offset + length);
    if (offset > end)
      return ++beyond < kMaxBeyondEnd;
    beyond = 0;
    // A sector beyond the end shows the cache where that is.
    const std::uint64_t there = std::min(length, end - offset);
    return records.add(offset, std::min(length, there + RangeRecords::kSectorBytes));
  });
  records.finish();
}

/// Where the file ends, as far as one has to know that to read up to \p byte. Nothing is announced
/// beyond: a loop that reads until a read comes short may end only with the main thread's. If nobody
/// writes through this open; what others append meanwhile the program reads from the file system.
/// Like in beforeEnd, the size is looked up only beyond the end that was seen last.
std::uint64_t PrefetchCall::endFor(std::uint64_t byte) {
  struct stat status{};
  if (!file_.readOnly)
    return std::numeric_limits<std::uint64_t>::max();
  if (byte > pointer_.knownBytes && !hasLookedUp_) {
    hasLookedUp_ = true;
    pointer_.knownBytes = file_.lookUp(status) ? static_cast<std::uint64_t>(status.st_size)
                                               : std::numeric_limits<std::uint64_t>::max();
  }
  return pointer_.knownBytes;
}

/// How many of \p bytes at the file pointer a read brings, as far as known: the size is looked up
/// only if nobody writes through this open, and only beyond the end that was seen last.
std::uint64_t PrefetchCall::beforeEnd(std::uint64_t bytes) {
  const std::uint64_t etype = pointer_.view.etypeBytes();
  std::uint64_t end = 0;
  if (!file_.readOnly || !pointer_.view.isContiguous() ||
      __builtin_add_overflow(pointer_.position, bytes / etype, &end) || end <= pointer_.knownEnd)
    return bytes;
  pointer_.knownEnd = endOfFile(file_, pointer_.view); // kNowhere is beyond everything
  return end <= pointer_.knownEnd
             ? bytes
             : (pointer_.knownEnd - std::min(pointer_.position, pointer_.knownEnd)) * etype;
}

bool PrefetchCall::isChecked() const {
  return !byHand() && file_.generation != 0 && check_ != nullptr;
}

/// For FORERUN_CHECK, range by range. There is no leash then, to hold a thread that reads beyond the end
/// of the file for ever.
void PrefetchCall::note(std::uint64_t start, std::uint64_t bytes) {
  constexpr std::uint32_t kMaxCallsBeyondEnd = 1024;
  const std::uint64_t call = check_->nextCall();
  bool isBeyond = bytes != 0;
  pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t end = endFor(offset + length);
    if (offset >= end)
      return true;
    isBeyond = false;
    check_->append({call, file_.path != nullptr ? file_.path : "", offset,
                    std::min(length, end - offset), stream_.prediction()});
    return true;
  });
  pointer_.beyondEnd = isBeyond ? pointer_.beyondEnd + 1 : 0;
  PreThread *const self = pointer_.beyondEnd > kMaxCallsBeyondEnd ? PreThread::self() : nullptr;
  if (self != nullptr)
    self->end("it reads on beyond the end of a file, where only the main thread stops");
}

Brought PrefetchCall::countFrom(std::uint64_t position, std::uint64_t bytes) {
  Brought counted{0, true};
  struct stat status{};
  std::uint64_t start = 0;
  if (!file_.lookUp(status) || !pointer_.view.known() ||
      __builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start))
    return counted;
  const auto end = static_cast<std::uint64_t>(status.st_size);
  bool isWhole = true;
  pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
    const std::uint64_t there = std::min(length, end - std::min(end, offset));
    counted.bytes += there;
    isWhole = there == length;
    return isWhole;
  });
  counted.failed = !isWhole && !file_.readOnly; // the program may write there before it reads
  if (!counted.failed)
    pushRead(position, bytes);
  return counted;
}

Brought PrefetchCall::bringFrom(std::uint64_t position, void *buffer, int count,
                                MPI_Datatype datatype) {
  if (const std::optional<Brought> left = leaveFor(position, buffer, denseBytes(count, datatype)))
    return *left;
  PreThread *const self = PreThread::self();
  std::optional<DataLayout> layout;
  {
    const PreThread::Unstoppable unstoppable;
    layout.emplace(count, datatype);
  }
  std::uint64_t start = 0;
  Brought brought{0, !layout->known() || !pointer_.view.known()};
  if (!__builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start)) {
    if (isChecked())
      note(start, layout->bytes());
    // Now, since bytes that are asked for are valid only until the next request.
    if (self != nullptr)
      layout->forEachPlace(buffer, 0, layout->bytes(), [self](const void *to, std::size_t length) {
        self->bringWhatIsLeft(to, length);
      });
    PrivateFetch fetch(self, stream_, file_, call_);
    const auto mayWrite = [self](void *to, std::size_t length) {
      if (self != nullptr)
        self->own(to, length);
    };
    const auto bringRange = [&](std::uint64_t offset, std::uint64_t length) {
      for (std::size_t came = 0; length > 0;
           offset += came, length -= came, brought.bytes += came) {
        const void *const data = fetch.ask(offset, length, came);
        brought.failed = data == nullptr;
        if (brought.failed || came == 0)
          return false;
        layout->scatter(buffer, brought.bytes, data, came, mayWrite);
      }
      return true;
    };
    pointer_.view.forEachRange(start, layout->bytes(), bringRange);
    // The main thread has made this read, and may have cut the file since.
    if (passed_ && !byHand() && !file_.readOnly && !brought.failed)
      fillWithZeros(*layout, buffer, brought.bytes, mayWrite);
  }
  const PreThread::Unstoppable unstoppable;
  layout.reset();
  return brought;
}

/// Announces the read, and leaves the bytes until they are touched. Nothing if it cannot be left.
std::optional<Brought> PrefetchCall::leaveFor(std::uint64_t position, void *buffer,
                                              std::uint64_t bytes) {
  PreThread *const self = PreThread::predicting();
  // If the main thread has made the read, nothing is to be announced, and the file may go any time.
  if (self == nullptr || byHand() || passed_ || bytes == 0 || !file_.readOnly ||
      file_.generation == 0 || !pointer_.view.isContiguous())
    return std::nullopt;
  // The first reads of an open mostly bring a header, which is needed; the file may be closed soon.
  constexpr std::uint32_t kAtOnce = 2;
  if (pointer_.broughtAtOnce < kAtOnce) {
    ++pointer_.broughtAtOnce;
    return std::nullopt;
  }
  struct stat status{};
  std::uint64_t start = 0;
  if (bytes < LazyReads::kLeastBytes || !file_.lookUp(status) ||
      __builtin_mul_overflow(position, pointer_.view.etypeBytes(), &start))
    return std::nullopt;
  LazyReads::Read read{file_, call_, 0, {}};
  pointer_.view.forEachRange(start, bytes, [&](std::uint64_t offset, std::uint64_t length) {
    const auto end = static_cast<std::uint64_t>(status.st_size);
    read.offset = offset;
    read.to = {static_cast<std::byte *>(buffer), std::min(length, end - std::min(end, offset))};
    return false;
  });
  if (!self->leaveForTouch(read))
    return std::nullopt;
  if (isChecked())
    note(start, bytes); // as the program's read is noted, whatever its result
  else
    pushRead(position, bytes);
  return Brought{read.to.size(), false};
}

} // namespace forerun
