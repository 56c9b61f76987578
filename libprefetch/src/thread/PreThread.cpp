// SPDX-License-Identifier: Apache-2.0
#include "thread/PreThread.h"

#include "base/CpuClock.h"
#include "base/Message.h"
#include "forerun/Clock.h"
#include "forerun/SignalsBlocked.h"
#include "thread/HandlerStack.h"
#include "thread/JumpBack.h"
#include "thread/OwnDescriptors.h"
#include "thread/PrivateFetch.h"
#include "thread/Signals.h"
#include "types/NamedTypes.h"
#include "types/OwnTypes.h"

#include <cstring>
#include <exception>
#include <string_view>
#include <thread>
#include <utility>

namespace forerun {
namespace {

/// How long it is waited for at its end. What it does where it is unstoppable takes milliseconds.
constexpr std::chrono::seconds kPatience{2};

// initial-exec: signal handlers read it, and the general model may allocate at the first touch.
__attribute__((tls_model("initial-exec"))) constinit thread_local PreThread *theSelf = nullptr;

} // namespace

PreThread::PreThread(Launch launch, const Options &options, const Surroundings &around)
    : pre_(launch.pre), argument_(launch.bytes), around_(around), debug_(options.debug),
      watchdogSeconds_(options.watchdogSeconds), cpuThrottle_(around.progress),
      stalls_(around.progress.sites()),
      occurrences_(static_cast<std::size_t>(around.progress.sites())),
      fenced_(!launch.lent || fence(*launch.lent)), leash_(around.distance),
      clocks_(around.progress.sites()),
      predictions_(
          around.forwarding, around.stream, around.progress.sites(),
          [this](const Predictions::Take &take) { forEachPiece(take); }, lazyReads_),
      random_(launch.random ? std::move(launch.random) : std::make_unique<RandomStreams>()) {
  if (launch.bytes != 0)
    std::memcpy(argument_.data(), launch.data, launch.bytes);
}

bool PreThread::fence(const std::vector<std::span<std::byte>> &lent) {
  for (const auto &each : lent)
    if (!fence_.lend(each.data(), each.size()))
      return false;
  return fence_.raise(stack_.stack(), arena_);
}

bool PreThread::start() {
  if (!stack_.isThere() || !fenced_ || !signals::takeOver(onSignal)) {
    why_ = "it has no stack, or no signal";
    ended_.store(true, std::memory_order_release);
    return false;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack_.stack().data(), stack_.stack().size());
  const MutexLock lock(ending_);
  const SignalsBlocked blocked; // the thread unblocks its own when it can handle them
  joinable_ = pthread_create(&thread_, &attributes, main, this) == 0;
  pthread_attr_destroy(&attributes);
  if (!joinable_) {
    signals::giveBack(onSignal);
    ended_.store(true, std::memory_order_release);
  }
  return joinable_;
}

void PreThread::askToEnd(const char *why) {
  const MutexLock lock(ending_);
  if (!joinable_ || ended())
    return;
  asked_.store(why, std::memory_order_relaxed);
  pthread_kill(thread_, signals::endSignal());
}

void PreThread::awaitEnd(std::chrono::milliseconds atMost) const {
  constexpr std::chrono::milliseconds kGlance{1};
  for (auto waited = kGlance; !ended() && waited <= atMost; waited += kGlance)
    std::this_thread::sleep_for(kGlance);
}

bool PreThread::stop() {
  askToEnd(kFinalize);
  {
    const MutexLock lock(ending_);
    if (!joinable_)
      return ended();
    joinable_ = false; // nobody signals it any more
  }
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += kPatience.count();
  // Not pthread_clockjoin_np, of which ThreadSanitizer knows nothing.
  if (pthread_timedjoin_np(thread_, nullptr, &until) == 0) {
    signals::giveBack(onSignal);
    return true;
  }
  // It cannot be jumped out of where it is: it may hold a lock of malloc's or of the loader's. Its
  // signals stay ours, for it may still fault.
  gate_.close(kPatience);
  return false;
}

void *PreThread::main(void *self) {
  static_cast<PreThread *>(self)->run();
  return nullptr;
}

void PreThread::run() {
  const std::uint64_t since = nowNs();
  pthread_setname_np(pthread_self(), "forerun-pre"); // by itself: another would open a file
  if (fence_.isUp() && !around_.exchange.isOpen())   // MPI may need its descriptors here
    haveOwnDescriptors();
  const HandlerStack handlers(stack_.handlers());
  ticks_.start(signals::endSignal(), this);
  theSelf = this;
  MpiGate::guard(&gate_);
  // Without a fence, nobody knows what the thread writes to.
  if (fence_.isUp())
    predictions_.begin(static_cast<std::byte *>(__builtin_frame_address(0)));
  // The jump back restores the mask of this point: everything blocked.
  if (sigsetjmp(base_, 1) == 0) {
    signals::take(true);
    try {
      pre_(argument_.data());
    } catch (const std::exception &) { // thrown by a function of the runtime
      why_ = "there was no memory";
    }
    signals::take(false);
  }
  settleAtEnd();
  theSelf = nullptr;
  MpiGate::guard(nullptr);
  livedNs_ = nowNs() - since;
  finish();
}

/// The thread has ended, perhaps because of a wrong value: then it is put back. If another thread
/// asks it to end meanwhile, it jumps to the base again. (Where unstoppable, it cannot go on.)
void PreThread::settleAtEnd() {
  if (!predictions_.isOpen() || asked_.load(std::memory_order_relaxed) != nullptr ||
      unstoppable_ > 0)
    return;
  const char *const why = why_;
  why_ = kReturned;
  signals::take(true);
  predictions_.settle();
  signals::take(false);
  why_ = why;
}

/// What a call may change while a prediction is open, besides the stack.
void PreThread::forEachPiece(const Predictions::Take &take) {
  while (const LazyReads::Read *read = lazyReads_.findRagged())
    bring(read->to.data(), read->to.size());
  take(std::as_writable_bytes(std::span(&current_, 1)));
  take(std::as_writable_bytes(std::span(occurrences_)));
  files_.forEachPosition(take);
  take(lazyReads_.table());
  clocks_.forEachPiece(take);
  arena_.forEachUsed([&](std::span<std::byte> each) { lazyReads_.forEachAccessible(each, take); });
  fence_.forEachLent([&](std::span<std::byte> each) {
    if (each.data() != stack_.stack().data())
      take(each);
  });
}

void PreThread::finish() {
  ticks_.stop();
  predictions_.forget();
  around_.stream.shut();
  around_.progress.abandonWait();
  around_.forwarding.abandon();
  arena_.giveBack();
  inner_.giveBack();
  const char *const throttled =
      cpuThrottle_.isThrottled()
          ? " (its slice computes so much that it ran only where no other thread wanted to)"
          : "";
  if (debug_)
    (Message() << "the pre-execution thread has ended: " << why_ << throttled).write();
  processorNs_ = cpuNs();
  ended_.store(true, std::memory_order_release);
}

bool PreThread::endedEarly() const {
  const std::string_view why = ended() ? why_ : kReturned;
  return why != kReturned && why != kExit && why != kFinalize;
}

PreThread *PreThread::predicting() { return theSelf; }

PreThread *PreThread::self() {
  PreThread *const self = theSelf;
  if (self != nullptr && self->predictions_.isOpen() && self->unstoppable_ == 0)
    self->predictions_.settle();
  return self;
}

void PreThread::end(const char *why) {
  why_ = why;
  jumpToBase();
}

void PreThread::jumpToBase() { jumpBack(base_); }

void *PreThread::own(void *to, std::size_t bytes) {
  if (fence_.isUp() && bytes != 0 && !fence_.owns(to, bytes))
    end("it was about to write to memory that is not its own");
  bringWhatIsLeft(to, bytes);
  return to;
}

bool PreThread::leaveForTouch(const LazyReads::Read &read) {
  if (!fence_.isUp() || arena_.regionOf(read.to.data(), read.to.size()).empty())
    return false;
  // What follows its bytes on the page is not kept with a prediction (Predictions.h).
  if (predictions_.isOpen() && read.to.size() % Arena::kPageBytes != 0)
    return false;
  return lazyReads_.add(read);
}

/// Brings the bytes of all pending reads that share a page with these bytes.
void PreThread::bring(const void *from, std::size_t bytes) {
  while (lazyReads_.find(from, bytes) != nullptr) {
    self(); // waits, and may put the thread back
    if (!fetch(*lazyReads_.find(from, bytes)))
      end("a read whose bytes it needs has failed");
  }
}

/// Fetches a read of the table and removes it. False: its bytes are unavailable.
bool PreThread::fetch(const LazyReads::Read &left) {
  const LazyReads::Read read = left;
  lazyReads_.remove(left);
  return PrivateFetch(this, around_.stream, read.file, read.call).fill(read.offset, read.to);
}

/// No prediction is open. A read whose bytes are unavailable, and maybe unused, stays in the table.
void PreThread::bringAllThatIsLeft() {
  for (std::size_t i = lazyReads_.all().size(); i-- > 0;)
    if (const LazyReads::Read read = lazyReads_.all()[i]; !fetch(lazyReads_.all()[i]))
      lazyReads_.add(read);
}

/// In the handler of a fault: whether a pending read caused it; its bytes are there now.
bool PreThread::touched(const void *place) {
  const bool mayWait = unstoppable_ == 0 || !predictions_.isOpen(); // `bring` does not settle there
  if (lazyReads_.find(place, 1) == nullptr || !mayWait)
    return false;
  const int error = errno;
  signals::take(true); // the thread may be ended while it waits
  bring(place, 1);
  errno = error;
  return true;
}

void PreThread::free(void *block) {
  lazyReads_.forget(block);
  arena_.release(block);
}

void PreThread::lend(const void *from, std::size_t bytes) {
  if (!fence_.isUp() || fence_.hasLent(from, bytes))
    return;
  self(); // what is lent now is not in the snapshots
  if (!fence_.lend(from, bytes))
    end("out of memory for its fence");
}

/// A fault ends the thread at once, even where it is unstoppable, since it cannot go on. The
/// exception is a touch of bytes that are pending.
bool PreThread::onSignal(int signal, const siginfo_t &info, void * /*context*/) {
  PreThread *self = theSelf;
  if (self == nullptr)
    return false;
  if (signal == signals::endSignal()) {
    self->endSignalled(info);
    return true;
  }
  // A fault of this thread, or its own abort; a signal that another process sent is the program's.
  if (signal == SIGSEGV && info.si_code == SEGV_ACCERR && self->touched(info.si_addr))
    return true;
  const bool own = info.si_code > 0 || signals::isSentToThread(info);
  if (own)
    self->end(signals::nameOf(signal));
  signals::giveToMainThread(info);
  return true;
}

void PreThread::endSignalled(const siginfo_t &info) {
  const char *const asked = asked_.load(std::memory_order_relaxed);
  const bool isTick = info.si_code == SI_TIMER && info.si_ptr == this;
  if (!isTick && (asked == nullptr || !signals::isSentToThread(info)))
    return signals::giveToMainThread(info);
  if (!isTick)
    why_ = asked;
  else if (stalls_.tick(), cpuThrottle_.tick(); ticks_.isOverdue(watchdogSeconds_))
    why_ = "the watchdog: too much CPU time without a call of the runtime";
  else
    return;
  if (unstoppable_ > 0)
    endPending_ = 1;
  else
    jumpToBase();
}

bool PreThread::knows(MPI_Datatype type) const {
  return OwnTypes::mayBe(type) ? ownTypes().find(type) != nullptr : around_.types.knows(type);
}

bool PreThread::mayAsk(MPI_Datatype type) const {
  return knows(type) && (mayCallMpi() || namedTypeBytes(type) != 0 || OwnTypes::mayBe(type));
}

CallId PreThread::arrive(int site) {
  ticks_.isAlive();
  predictions_.check();
  cpuThrottle_.arrived();
  stalls_.cameTo(site);
  clocks_.cameToIo();
  passOverSkipped(-1);
  if (site < 0 || site >= around_.progress.sites())
    return current_ = {};
  return current_ = {site, occurrences_[static_cast<std::size_t>(site)]++};
}

void PreThread::cameTo(int site) {
  ticks_.isAlive();
  stalls_.cameTo(site);
}

Forwarding::Value PreThread::receive(int site, bool mayPredict) {
  cameTo(site);
  const StallStats::Wait waits(stalls_, site);
  passOverSkipped(site);
  return mayPredict ? predictions_.receive(site) : predictions_.await(site);
}

bool PreThread::asksTime(int site) {
  cameTo(site);
  return clocks_.asks(site, around_.distance.isLimited());
}

void PreThread::skip(int site, int values) {
  cameTo(site);
  clocks_.skip(site, values);
}

/// As soon as possible; at once before the next value of \p site is wanted.
void PreThread::passOverSkipped(int site) {
  if (!clocks_.owes())
    return;
  if (clocks_.owes(site))
    predictions_.settle();
  if (!predictions_.isOpen())
    clocks_.pay(around_.forwarding);
}

/// While a prediction is open, the thread waits only for its value: the leash or a full stream may
/// wait for something that never comes. So the stream keeps room for the call.
void PreThread::holdLeash() {
  while (predictions_.isOpen() && (leash_.isTaut(around_.progress) || around_.stream.isHalfFull()))
    predictions_.awaitOne();
  if (!leash_.hold(current_, around_.progress, inner_))
    end("out of memory for its prefetch distance");
}

void PreThread::waitUntilPassed(CallId call) {
  if (around_.progress.hasPassed(call))
    return;
  const StallStats::Wait waits(stalls_, call.site);
  around_.progress.waitUntilPassed(call);
}

PreThread::Unstoppable::Unstoppable() {
  if (PreThread *self = theSelf)
    self->unstoppable_ = self->unstoppable_ + 1;
}

PreThread::Unstoppable::~Unstoppable() {
  PreThread *self = theSelf;
  if (self == nullptr)
    return;
  self->unstoppable_ = self->unstoppable_ - 1;
  if (self->unstoppable_ == 0 && self->endPending_ != 0)
    self->jumpToBase();
}

} // namespace forerun
