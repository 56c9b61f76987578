// SPDX-License-Identifier: Apache-2.0
#include "thread/Predictions.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
extern "C" void __asan_handle_no_return(); // NOLINT: its name
#endif
#ifdef __SANITIZE_THREAD__
extern "C" void __tsan_func_entry(void *caller); // NOLINT: its name
#endif

namespace forerun {
namespace {

/// The maximum stack space of the frames between here and the snapshot's.
constexpr std::size_t kFramesBytes = 2048;

/// Predictions that were open for long enough to announce something. If nothing was announced, it
/// was no use to be that bold.
constexpr std::size_t kSome = 4;

/// Sanitizers keep their own records of the stack, which the jump back does not correct.
void tellSanitizers() {
#ifdef __SANITIZE_ADDRESS__
  __asan_handle_no_return();
#endif
#ifdef __SANITIZE_THREAD__
  // It counts function entries and exits: too many entries are harmless.
  constexpr int kDepths = 16;
  for (int depth = 0; depth < kDepths; ++depth)
    __tsan_func_entry(nullptr);
#endif
}

/// Uses a system call: a library interposed before libc's function may have a lock.
std::byte *map(std::size_t bytes) {
  const long made = syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
  return made != -1 ? std::bit_cast<std::byte *>(made) : nullptr;
}

} // namespace

Predictions::Predictions(Forwarding &forwarding, Stream &stream, int sites, Pieces pieces,
                         LazyReads &lazyReads)
    : forwarding_(forwarding), stream_(stream), pieces_(std::move(pieces)), lazyReads_(lazyReads),
      predictors_(static_cast<std::size_t>(std::max(sites, 0))) {}

Predictions::~Predictions() {
  if (room_ != nullptr)
    munmap(room_, kRoomBytes);
}

Forwarding::Value Predictions::receive(int site) {
  check();
  isPredicted_ = mayPredict(site) && predict(site);
  return isPredicted_ ? newest().value : await(site);
}

Forwarding::Value Predictions::await(int site) {
  isPredicted_ = false;
  judge(cost_.verdict());
  settle();
  const Forwarding::Value value = forwarding_.await(site);
  if (site >= 0 && static_cast<std::size_t>(site) < predictors_.size())
    predictors_[static_cast<std::size_t>(site)].learn(value);
  return value;
}

void Predictions::release(int site) {
  if (!isPredicted_)
    forwarding_.release(site);
}

std::size_t Predictions::openAt(int site) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < count_; ++i)
    count += open_[(first_ + i) % kMax].site == site ? 1 : 0;
  return count;
}

void Predictions::judge(MispredictionCost::Verdict verdict) {
  if (verdict == MispredictionCost::Verdict::Unknown)
    return;
  predictors_[static_cast<std::size_t>(cost_.site())].judge(verdict);
  cost_.end();
}

/// A wrong prediction has all that follow made again, with their snapshots.
std::size_t Predictions::boldest() const {
  constexpr std::size_t kBytes = std::size_t{1} << 20;
  return std::max<std::size_t>(1, kBytes / std::max<std::size_t>(1, snapshotBytes_));
}

/// Waits while it may predict, but not yet.
bool Predictions::mayPredict(int site) {
  if (stackEnd_ == nullptr || site < 0 || static_cast<std::size_t>(site) >= predictors_.size() ||
      stream_.withdrawals().isFull())
    return false;
  const Predictor &predictor = predictors_[static_cast<std::size_t>(site)];
  while (predictor.isConfident()) {
    if (!isOpen())
      return !forwarding_.hasArrived(site);
    if (count_ < kMax && openAt(site) < predictor.reach(boldest()))
      return true;
    judge(cost_.verdict()); // it can go no farther
    awaitOne();
  }
  return false;
}

/// Contiguous bytes of the ring, after the newest snapshot; null: not that many are free.
std::byte *Predictions::roomFor(std::size_t bytes) {
  if (room_ == nullptr)
    room_ = map(kRoomBytes);
  if (room_ == nullptr || !isOpen())
    return room_;
  std::byte *const begin = oldest().begin;
  std::byte *const end = newest().end;
  if (end <= begin) // it has wrapped around
    return bytes < static_cast<std::size_t>(begin - end) ? end : nullptr;
  if (bytes <= static_cast<std::size_t>(room_ + kRoomBytes - end))
    return end;
  return bytes < static_cast<std::size_t>(begin - room_) ? room_ : nullptr;
}

/// The size of a snapshot, and of how many pieces besides the stack it consists.
std::size_t Predictions::bytesToKeep(const std::byte *frame, std::size_t &pieces) const {
  std::size_t bytes = static_cast<std::size_t>(stackEnd_ - frame) + kFramesBytes;
  pieces_([&](Snapshot::Piece piece) {
    ++pieces;
    bytes += sizeof(Snapshot::Piece) + piece.size();
  });
  return (bytes + alignof(Snapshot::Piece) - 1) & ~(alignof(Snapshot::Piece) - 1);
}

bool Predictions::isTooMuch() {
  std::size_t pieces = 0;
  isTooMuch_ = isTooMuch_ && bytesToKeep(static_cast<std::byte *>(__builtin_frame_address(0)),
                                         pieces) > kMaxBytes;
  return isTooMuch_;
}

/// False: too much would have to be kept, or the value has come, either in time or at the end of a
/// prediction that was wrong.
bool Predictions::predict(int site) {
  auto *const frame = static_cast<std::byte *>(__builtin_frame_address(0));
  std::size_t count = 0;
  const std::size_t bytes = bytesToKeep(frame, count);
  snapshotBytes_ = bytes;
  isTooMuch_ = bytes > kMaxBytes;
  if (isTooMuch_)
    return false;
  std::byte *begin = roomFor(bytes);
  while (begin == nullptr && isOpen()) {
    awaitOne();
    begin = roomFor(bytes);
  }
  if (begin == nullptr || (!isOpen() && forwarding_.hasArrived(site)))
    return false;

  auto *const list = reinterpret_cast<Snapshot::Piece *>(begin);
  Snapshot::Piece *next = list;
  pieces_([&](Snapshot::Piece piece) { new (next++) Snapshot::Piece(piece); });
  Open &open = open_[(first_ + count_) % kMax];
  open.begin = begin;
  open.end = begin + bytes;
  open.site = site;
  open.number = ++lastNumber_;
  open.error = errno;
  const Predictor &predictor = predictors_[static_cast<std::size_t>(site)];
  open.bytes = predictor.predict(openAt(site) + 1);
  open.value = {open.bytes.data(), predictor.bytes(), predictor.shift()};
  auto *const copies = reinterpret_cast<std::byte *>(next);
  open.snapshot = {.stackEnd = stackEnd_,
                   .pieces = {list, count},
                   .copies = {copies, static_cast<std::size_t>(open.end - copies)}};
  const int kept = forerun_keep_snapshot(&open.snapshot);
  if (kept == FORERUN_CAME_BACK)
    lazyReads_.close();
  if (kept != FORERUN_KEPT)
    return false;
  ++count_;
  stream_.predict(open.number);
  increment(made_);
  return true;
}

bool Predictions::hasCome() { return forwarding_.hasArrived(oldest().site); }

void Predictions::check() {
  while (isOpen() && hasCome())
    look();
}

void Predictions::awaitOne() {
  forwarding_.await(oldest().site);
  look();
}

void Predictions::settle() {
  while (isOpen())
    awaitOne();
}

/// Checks the value of the oldest one, which has come.
void Predictions::look() {
  const Open &open = oldest();
  const Forwarding::Value came = forwarding_.await(open.site);
  const bool isRight =
      came.bytes == open.value.bytes && came.shift == open.value.shift &&
      (came.bytes == 0 || std::memcmp(came.data, open.value.data, came.bytes) == 0);
  if (!isRight)
    goBack();
  predictors_[static_cast<std::size_t>(open.site)].learn(came);
  forwarding_.release(open.site);
  first_ = (first_ + 1) % kMax;
  --count_;
  if (!isOpen())
    stream_.predict(0);
}

void Predictions::goBack() {
  Open &open = oldest();
  Predictor &predictor = predictors_[static_cast<std::size_t>(open.site)];
  increment(wrong_);
  judge(cost_.lastVerdict());
  if (!cost_.begin(open.site, open.number) && count_ >= kSome)
    predictor.judge(MispredictionCost::Verdict::Harmful);
  forget();
  errno = open.error;
  lazyReads_.open();
  tellSanitizers();
  forerun_return_to_snapshot(&open.snapshot);
}

void Predictions::forget() {
  if (!isOpen())
    return;
  const std::uint32_t first = oldest().number;
  count_ = 0;
  stream_.predict(0);
  stream_.withdraw({first, lastNumber_});
}

} // namespace forerun
