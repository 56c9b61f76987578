// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/MpiGate.h"
#include "base/Options.h"
#include "channels/Exchange.h"
#include "channels/ForwardedTypes.h"
#include "channels/Forwarding.h"
#include "channels/Groups.h"
#include "channels/PrefetchDistance.h"
#include "channels/Progress.h"
#include "channels/Stream.h"
#include "channels/Trail.h"
#include "forerun/Mutex.h"
#include "thread/Arena.h"
#include "thread/Clocks.h"
#include "thread/CpuThrottle.h"
#include "thread/CpuTicks.h"
#include "thread/Expectations.h"
#include "thread/Fence.h"
#include "thread/LazyReads.h"
#include "thread/Leash.h"
#include "thread/PreFiles.h"
#include "thread/PreStack.h"
#include "thread/Predictions.h"
#include "thread/PrivateStreams.h"
#include "thread/RandomStreams.h"
#include "thread/StallStats.h"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <ctime>
#include <memory>
#include <optional>
#include <pthread.h>
#include <span>
#include <vector>

/// \file
/// The pre-execution thread: its stack, its end, and what belongs to it alone.
///
/// Invariants
///  - It can end at any instruction without harm to the program: at the return of its function, by
///    a fault, by an attempt to exit, by the watchdog, or because another thread asks. Each of
///    these jumps to the base of its stack and runs nothing of the frames that it jumps over.
///  - It takes no signal meant for the program: all but its own faults and its end signal are
///    blocked.
///  - In a sliced program it writes only where its fence allows (Fence.h).
///  - It may go on with predicted values, and is put back if one was wrong (Predictions.h). A
///    function that must not run twice, or cannot be undone, begins with `self`, which waits until
///    no prediction is open.
///  - When it has ended, its stream is shut, so that nobody waits for it; what it announced before
///    stays announced.

namespace forerun {

class PreThread {
public:
  struct Launch {
    void (*pre)(void *);
    const void *data;
    std::size_t bytes;
    std::unique_ptr<RandomStreams> random{}; ///< null: as the program's streams are now
    /// For a sliced program, whose thread is fenced: what it may write to besides its own memory.
    std::optional<std::vector<std::span<std::byte>>> lent{};
  };

  /// The parts that it works between. All outlive it.
  struct Surroundings {
    Progress &progress;
    Stream &stream;
    Trail *trail = nullptr; ///< null: there is none
    Forwarding &forwarding;
    const ForwardedTypes &types;
    Exchange &exchange;
    const Groups &groups; ///< communicators that were handed over, and MPI's own
    const PrefetchDistance &distance;
    bool mayCallMpi = false;
  };

  /// While one of these lives on the pre-execution thread, ending that thread is put off: for the
  /// few places where it has to call MPI or to allocate (type inspection when a view is set). Never
  /// held during a wait, except for bytes that a clone has left (LazyReads), and never while MPI is
  /// given memory of a clone. What is done meanwhile is bounded; should it not end all the same,
  /// `stop` leaves the thread behind, and keeps it out of MPI. On other threads it does nothing.
  class Unstoppable {
  public:
    Unstoppable();
    ~Unstoppable();
    Unstoppable(const Unstoppable &) = delete;
    Unstoppable &operator=(const Unstoppable &) = delete;
  };

  // ---- the launching thread ----
  PreThread(Launch launch, const Options &options, const Surroundings &around);
  ~PreThread() = default; ///< not while the thread runs
  PreThread(const PreThread &) = delete;
  PreThread &operator=(const PreThread &) = delete;
  bool start();                                          ///< false: no thread could be made
  void awaitEnd(std::chrono::milliseconds atMost) const; ///< until the thread ends by itself
  /// Ends and joins it. False: it did not end in time, and was left behind. It is outside MPI then,
  /// for good, and what it uses must live on.
  bool stop();

  // ---- any other thread ----
  void askToEnd(const char *why); ///< does not wait
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  const char *why() const { return why_; } ///< only after it has ended
  /// Processor time that it used; only after it has ended.
  std::uint64_t processorNs() const { return processorNs_; }
  std::uint64_t livedNs() const { return livedNs_; } ///< likewise
  bool isThrottled() const { return cpuThrottle_.isThrottled(); }
  const Withdrawals &withdrawals() const { return around_.stream.withdrawals(); }
  Predictions::Counts predictions() const { return predictions_.counts(); }
  bool endedEarly() const; ///< not by its function, the program's exit or MPI_Finalize
  std::uint64_t occurrences(int site) const { return occurrences_[static_cast<std::size_t>(site)]; }
  const StallStats &stalls() const { return stalls_; } ///< only after it has ended

  // ---- the thread itself ----
  /// Null on every other thread. Waits until no prediction is open, and does not return if one was
  /// wrong. Only at the entry of a function that clones call.
  static PreThread *self();
  static PreThread *predicting(); ///< like self, but a prediction may stay open
  [[noreturn]] void end(const char *why);
  [[noreturn]] void exit() { end(kExit); } ///< where the program exits
  /// Ends the thread if any of these bytes is not its own to write to. Returns \p to.
  void *own(void *to, std::size_t bytes);
  template <class T> T *own(T *to) {
    return static_cast<T *>(own(static_cast<void *>(to), sizeof *to));
  }
  void lend(const void *from, std::size_t bytes); ///< may be written to from now on
  /// A read whose bytes come when they are touched. False: the read must be done now.
  bool leaveForTouch(const LazyReads::Read &read);
  void bringWhatIsLeft(const void *from, std::size_t bytes) {
    if (!lazyReads_.isEmpty() && unstoppable_ == 0)
      bring(from, bytes);
  }
  /// Before the main thread closes the file: its handle may mean another file later.
  void bringAllThatIsLeft();
  void free(void *block); ///< replaces `arena().release` for memory that clones have allocated
  void isAlive() { ticks_.isAlive(); } ///< tells the watchdog
  /// The next occurrence of \p site; it becomes the current call. Checks predictions first.
  CallId arrive(int site);
  /// The next value handed over at \p site, to be released; it may be predicted.
  Forwarding::Value receive(int site) { return receive(site, true); }
  Forwarding::Value await(int site) { return receive(site, false); } ///< never predicted
  void release(int site) { predictions_.release(site); }
  /// Whether the thread asks the clock itself instead of taking the next value of \p site.
  bool asksTime(int site);
  bool notesAnnounced() const { return predictions_.wantsNotes(); }
  void noteAnnounced(const Record &call) { predictions_.note(call); }
  bool hasTooMuchToPredict() { return predictions_.isTooMuch(); }
  void skip(int site, int values); ///< the next values of \p site
  void holdLeash();                ///< waits while too many calls are ahead of the main thread
  void waitUntilPassed(CallId call);
  StallStats &stalls() { return stalls_; }
  CallId current() const { return current_; }
  Progress &progress() { return around_.progress; }
  Stream &stream() { return around_.stream; }
  Trail *trail() { return around_.trail; }
  Forwarding &forwarding() { return around_.forwarding; }
  bool knows(MPI_Datatype type) const;  ///< as a datatype: a named one, its own, or handed over
  bool mayAsk(MPI_Datatype type) const; ///< knows it, and may call MPI if that takes a call
  Exchange &exchange() { return around_.exchange; }
  const Groups &groups() const { return around_.groups; }
  bool mayCallMpi() const { return around_.mayCallMpi; } ///< at all
  Arena &arena() { return arena_; }                      ///< what clones allocate
  Arena &inner() { return inner_; } ///< memory of the runtime itself, which no clone may write to
  PreFiles &files() { return files_; }
  RandomStreams &random() { return *random_; }
  void expect(const Expected &last) {
    if (!expectations_.add(last))
      end("out of memory for what it expects");
  }
  Expectations &expectations() { return expectations_; }
  char *&strtokState() { return strtokState_; }
  PrivateStreams &streams() { return streams_; }

private:
  static constexpr const char *kFinalize = "MPI_Finalize";
  static constexpr const char *kExit = "it reached an exit of the program";
  static constexpr const char *kReturned = "its function has returned";
  static constexpr std::size_t kInnerBytes = std::size_t{8} << 30;

  static void *main(void *self);
  static bool onSignal(int signal, const siginfo_t &info, void *context);
  bool fence(const std::vector<std::span<std::byte>> &lent);
  void forEachPiece(const Predictions::Take &take);
  bool touched(const void *place);
  void cameTo(int site);
  Forwarding::Value receive(int site, bool mayPredict);
  void passOverSkipped(int site);
  void bring(const void *from, std::size_t bytes);
  bool fetch(const LazyReads::Read &left);
  void settleAtEnd();
  void run();
  void finish();
  [[noreturn]] void jumpToBase();
  void endSignalled(const siginfo_t &info);

  void (*const pre_)(void *);
  std::vector<std::byte> argument_; ///< the private copy
  const Surroundings around_;
  const bool debug_;
  const unsigned watchdogSeconds_;

  PreStack stack_;
  pthread_t thread_{};
  Mutex ending_; ///< orders asking and joining; never taken by the thread itself
  bool joinable_ FORERUN_GUARDED_BY(ending_) = false;
  sigjmp_buf base_;
  std::atomic<const char *> asked_{nullptr}; ///< the reason, by askToEnd
  MpiGate gate_{[](void *self) { static_cast<PreThread *>(self)->end(kFinalize); }, this};
  std::atomic<bool> ended_{false};

  // Touched by the thread and its signal handlers only.
  const char *volatile why_ = kReturned;
  std::uint64_t processorNs_ = 0, livedNs_ = 0;
  volatile std::sig_atomic_t unstoppable_ = 0;
  volatile std::sig_atomic_t endPending_ = 0;
  CpuTicks ticks_;
  CpuThrottle cpuThrottle_;
  StallStats stalls_;

  CallId current_;
  std::vector<std::uint64_t> occurrences_; ///< by site
  Arena arena_;
  Arena inner_{kInnerBytes};
  Fence fence_{inner_};
  bool fenced_; ///< whether it has a fence if it needs one: there was memory
  Leash leash_;
  LazyReads lazyReads_;
  Clocks clocks_;
  Predictions predictions_;
  PreFiles files_;
  PrivateStreams streams_;
  Expectations expectations_{inner_};
  char *strtokState_ = nullptr;
  const std::unique_ptr<RandomStreams> random_;
};

} // namespace forerun
