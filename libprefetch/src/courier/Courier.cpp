// SPDX-License-Identifier: Apache-2.0
#include "courier/Courier.h"

#include "forerun/SignalsBlocked.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <limits>
#include <pthread.h>

namespace forerun {
namespace {

/// Per stream and turn, so that the other stream, and the main thread's progress, get their turn.
constexpr unsigned kRecordsPerTurn = 256;
/// While suspended: how long it rests after it has ended a wait of the pre-execution thread, since
/// what that thread computes gains nothing.
constexpr std::chrono::milliseconds kRest{100};
/// Number of passes that never come: only a certain call is waited for.
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 2;

/// For EventCount, where 0 means forever.
std::uint64_t nsUntil(std::chrono::steady_clock::time_point time) {
  const std::chrono::nanoseconds left = time - std::chrono::steady_clock::now();
  return static_cast<std::uint64_t>(std::max<std::int64_t>(left.count(), 1));
}

/// The fetches of a turn leave together: one by one, each would wake the fetch thread.
class Gathering {
public:
  explicit Gathering(Cache &cache) : cache_(cache) { cache_.gather(); }
  ~Gathering() { cache_.flush(); }
  Gathering(const Gathering &) = delete;
  Gathering &operator=(const Gathering &) = delete;

private:
  Cache &cache_;
};

} // namespace

Courier::Courier(const Surroundings &around)
    : around_(around), announcer_(files_, throttle_, recording_),
      lot_(around_.handles, files_, announcer_, handDirt_), pre_{around_.pre, false},
      hand_{around_.hand, true} {}

Courier::~Courier() { stop(); }

bool Courier::start() {
  if (started_.load(std::memory_order_acquire))
    return true;
  const MutexLock lock(threadMutex_);
  if (started_.load() || stopping_.load())
    return started_.load();
  const SignalsBlocked blocked;
  try {
    thread_ = std::thread([this] { run(); });
    started_.store(true, std::memory_order_release);
  } catch (const std::exception &) {
    giveUp();
  }
  return started_.load();
}

/// Nobody takes records any more, for lack of a thread or of memory.
void Courier::giveUp() {
  stopping_.store(true);
  around_.pre.shut();
  around_.hand.shut();
  around_.say("nothing is prefetched any more: there was no thread, or no memory");
}

void Courier::stop() {
  const MutexLock lock(threadMutex_);
  stopping_.store(true);
  around_.pre.shut();
  around_.hand.shut();
  around_.wake.notify();
  if (thread_.joinable())
    thread_.join();
}

Courier::Counters Courier::counters() const {
  const Announcer::Counts &counts = announcer_.counts();
  return {read(counts.announced),  read(counts.announcedBytes), read(counts.skippedLate),
          lot_.parked(),           read(counts.dropped),        read(privateReads_),
          read(synchronisations_), read(counts.withdrawn)};
}

void Courier::run() {
  pthread_setname_np(pthread_self(), "forerun-courier");
  try {
    work();
  } catch (const std::exception &) {
    if (progress_ != nullptr)
      progress_->watch(nullptr);
    if (cache_ != nullptr) // nothing tells when announced data has been read
      cache_->retire(std::numeric_limits<Sequence>::max());
    giveUp();
    around_.giveUp("there was no memory");
  }
}

void Courier::work() {
  while (!stopping_.load()) {
    if (turn())
      continue;
    const auto key = around_.wake.prepare();
    const WakeCondition until = wakeCondition();
    if (until.passes != 0)
      progress_->watch(&around_.wake, until.passes, until.call);
    if (stopping_.load() || turn() || wakeCondition() != until)
      around_.wake.cancel();
    else
      around_.wake.wait(key, until.until ? nsUntil(*until.until) : 0);
    if (until.passes != 0)
      progress_->watch(nullptr);
  }
}

/// How many passes of the main thread to sleep through; 0: nothing waits for it, and the main
/// thread must not pay for waking this one. Parked items leave at once, and so does a private read,
/// whose thread waits. A taut leash is released by an eighth, since a wake-up and a single request
/// cost more than one of many. The call at which the pre-execution thread waits always ends the
/// sleep: what is held back before it is no longer needed. While suspended only that does, and not
/// before the courier has rested. A private read that rests waits for no call, only for time.
Courier::WakeCondition Courier::wakeCondition() const {
  const std::optional<CallId> at = around_.pre.waiting();
  if (progress_ != nullptr && !prefetching_ && at && pre_.stream.front() != nullptr)
    return rests_ ? WakeCondition{.until = restUntil_}
                  : WakeCondition{.passes = kNever, .call = at};
  const bool parks = readWaits_ || lot_.waitsForACall();
  const bool watches =
      progress_ != nullptr && prefetching_ && (parks || waiting_ || !announcer_.isOpen());
  WakeCondition condition;
  if (readRests_)
    condition.until = lead_.restUntil();
  else if (watches)
    condition.call = at;
  if (watches)
    condition.passes = parks ? 1 : std::max<std::uint64_t>(1, announcer_.callsAhead() / 8);
  return condition;
}

bool Courier::turn() {
  cache_ = around_.cache();
  progress_ = around_.progress();
  if (cache_ == nullptr)
    return consumeWithoutCache(hand_) || consumeWithoutCache(pre_);
  followPredictions();
  announcer_.begin(*cache_, progress_, around_.distance);
  followThrottle();
  lot_.begin(progress_);
  lot_.forgetClosedFiles();
  waiting_ = readWaits_ = readRests_ = false;
  const Gathering together(*cache_);
  bool did = withdraw();
  did |= announcer_.retire();
  if (prefetching_) {
    did |= announcer_.settleProbe(around_.handles);
    did |= lot_.release();
  }
  did |= lot_.releaseByHand();
  did |= consume(hand_);
  did |= prefetching_ ? consume(pre_) : consumeWhatIsLate();
  return did;
}

// ---- a turn's steps ----

void Courier::followThrottle() {
  if (throttle_.allows() == prefetching_)
    return;
  prefetching_ = !prefetching_;
  if (prefetching_) {
    around_.say("prefetching resumed: the program's own reads are slow");
    return;
  }
  announcer_.abandonAll();
  lot_.dropPrefetches();
  files_.stopServing();
  if (throttle_.state() == Throttle::State::Stopped)
    around_.giveUp("most of what was prefetched was not read from the cache");
  else
    around_.say("prefetching suspended: storage is as fast as memory");
}

void Courier::followPredictions() {
  const unsigned divisor = throttle_.leashDivisor();
  if (divisor > around_.distance.divisor())
    around_.say("prefetch distance (leash) halved: most of what was prefetched was not read from "
                "the cache");
  around_.distance.divideBy(divisor);
}

/// Wrong predictions: what depended on them is forgotten, wherever it is.
bool Courier::withdraw() {
  const Withdrawals &all = pre_.stream.withdrawals();
  bool did = false;
  for (; withdrawals_ < all.count(); ++withdrawals_, did = true) {
    announcer_.withdraw(all[withdrawals_]);
    lot_.withdraw(all[withdrawals_]);
  }
  return did;
}

/// No file has a cache, so nothing can be announced, and requested bytes must come from elsewhere.
/// True also if that has just changed.
bool Courier::consumeWithoutCache(Feed &feed) {
  const Record *record = feed.stream.front();
  if (record == nullptr)
    return false;
  if (record->generation != 0)
    return true;
  if (record->kind == RecordKind::Read)
    feed.stream.answer(nullptr, 0, false);
  feed.stream.pop();
  return true;
}

/// Whether the main thread has passed the call at which the producer waits, and so everything in
/// the stream.
bool Courier::isLate(const Feed &feed) const {
  const std::optional<CallId> at = feed.stream.waiting();
  return at && announcer_.passed(*at);
}

/// While suspended everything stays in the stream, and its producer sleeps once that is full, until
/// the main thread has passed the call at which it waits.
bool Courier::consumeWhatIsLate() {
  const auto now = Clock::now();
  rests_ = isLate(pre_) && now < restUntil_;
  if (rests_)
    return false;
  // As much as the stream holds: its producer goes on when half of it is free.
  bool did = false;
  for (std::size_t taken = 0; taken < pre_.stream.capacity() && isLate(pre_) && consume(pre_);
       taken += kRecordsPerTurn)
    did = true;
  if (did)
    restUntil_ = now + kRest;
  return did;
}

bool Courier::consume(Feed &feed) {
  unsigned taken = 0;
  const Record *record = feed.stream.front();
  while (record != nullptr && taken < kRecordsPerTurn) {
    if (!prefetching_ && !feed.byHand && !isLate(feed))
      break; // the producer goes on, and waits for another call next
    const bool isHeld = take(feed, *record) == Verdict::Wait;
    // The main thread may have passed it just now; but a private read must be answered.
    if (isHeld && (record->kind == RecordKind::Read || !isLate(feed))) {
      waiting_ = !readRests_;
      break;
    }
    increment(announcer_.counts().skippedLate, isHeld ? 1 : 0);
    if (record->last)
      feed.arriving = {};
    feed.stream.pop();
    ++taken;
    record = feed.stream.front();
  }
  return taken != 0;
}

// ---- a record ----

Courier::Verdict Courier::take(Feed &feed, const Record &record) {
  const bool byHand = feed.byHand || record.call.site < 0;
  if (record.kind == RecordKind::Read)
    return takeRead(feed, record, byHand);
  const bool isPrefetch = record.kind == RecordKind::Prefetch;
  if (feed.stream.withdrawals().has(record.prediction)) {
    increment(announcer_.counts().withdrawn, record.last ? 1 : 0);
    return Verdict::Done;
  }
  if (announcer_.passed(record.call)) {
    increment(announcer_.counts().skippedLate, isPrefetch && record.last ? 1 : 0);
    return Verdict::Done;
  }
  const HandleUse use(around_.handles, files_, record.slot, record.generation);
  if (!use || !(prefetching_ || byHand)) {
    increment(announcer_.counts().dropped, isPrefetch ? 1 : 0);
    return Verdict::Done;
  }
  if (!byHand)
    return takeAhead(feed, record, use);
  if (isPrefetch) // writes by hand are in handDirt_ already
    lot_.putByHand(feed.arriving, record, use);
  return Verdict::Done;
}

Courier::Verdict Courier::takeAhead(Feed &feed, const Record &record, const HandleUse &use) {
  const bool isPrefetch = record.kind == RecordKind::Prefetch;
  std::uint64_t bytes = isPrefetch ? record.length : 0;
  if ((isPrefetch && !announcer_.isOpen()) || !announcer_.enter(feed.arriving, record, bytes))
    return Verdict::Wait;
  if (isPrefetch && bytes == 0)
    return Verdict::Done;
  increment(synchronisations_, record.kind == RecordKind::Sync ? 1 : 0);
  Placed item{record, feed.arriving.sequence, {}};
  if (isPrefetch)
    item.record.length = bytes;
  lot_.put(item, use);
  return Verdict::Done;
}

// ---- a private read ----

Courier::Verdict Courier::takeRead(Feed &feed, const Record &record, bool byHand) {
  const HandleUse use(around_.handles, files_, record.slot, record.generation);
  if (!use) {
    feed.stream.answer(nullptr, 0, false);
    return Verdict::Done;
  }
  const auto now = Clock::now();
  const bool isJudged = !byHand && prefetching_ && !throttle_.staysRunning();
  readRests_ = isJudged && lead_.rests(now);
  if (readRests_)
    return Verdict::Wait;
  // A read by hand waits for nothing: its thread may be the one that all others wait for. A late
  // one has nothing left to wait for.
  const bool isLate = byHand || announcer_.passed(record.call);
  readWaits_ = !isLate && !lot_.mayRead(record, use);
  if (readWaits_)
    return Verdict::Wait;
  Sequence sequence = 0;
  if (!isLate) {
    std::uint64_t bytes = record.length;
    readWaits_ = !announcer_.enter(feed.arriving, record, bytes);
    if (readWaits_)
      return Verdict::Wait;
    sequence = feed.arriving.sequence;
    announcer_.noteRead(sequence, bytes);
  }
  if (!byHand && mayProbe(record, use))
    throttle_.probe(use.cached(), record.offset, record.length);
  const Lead::Read read = whereIs(record.call);
  if (!byHand)
    use.open().followed.store(read != Lead::Read::Ahead, std::memory_order_relaxed);
  bring(feed.stream, record, sequence, use);
  if (isJudged)
    lead_.note(read, now, Clock::now());
  return Verdict::Done;
}

Lead::Read Courier::whereIs(CallId call) {
  const bool isFar = lastReads_.size() == Lead::kByChance && !announcer_.passed(lastReads_.front());
  if (lastReads_.empty() || lastReads_.back() != call)
    lastReads_.push_back(call);
  if (lastReads_.size() > Lead::kByChance)
    lastReads_.pop_front();
  if (announcer_.passed(call))
    return Lead::Read::Late;
  return isFar ? Lead::Read::Ahead : Lead::Read::Next;
}

/// Once for each private read: whether its fetch is to show how fast storage is. That it needs none,
/// as it is in the system's memory, is noted. Late ones count, too: their thread may always be late.
bool Courier::mayProbe(const Record &record, const HandleUse &use) {
  if (throttle_.state() != Throttle::State::Probing || !announcer_.isOpen())
    return false;
  const bool isResident = cache_->resident(use.cached(), record.offset, record.length);
  if (isResident)
    throttle_.noteResident();
  return !isResident;
}

void Courier::bring(Stream &stream, const Record &record, Sequence sequence, const HandleUse &use) {
  const bool isAsked = use.open().serving.load(std::memory_order_relaxed);
  use.open().serve(*cache_);
  staging_.resize(record.length);
  const ReadResult result =
      cache_->readThrough(use.cached(), staging_.data(), record.offset, staging_.size(), sequence);
  if (announcer_.isOpen())
    throttle_.forgetProbe();
  if (!prefetching_ && !isAsked)
    files_.stopServing();
  increment(privateReads_);
  stream.answer(staging_.data(), result.bytes, result.outcome != Outcome::Miss);
}

} // namespace forerun
