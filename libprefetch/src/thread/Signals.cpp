// SPDX-License-Identifier: Apache-2.0
#include "thread/Signals.h"

#include <array>
#include <atomic>
#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

// Signal actions belong to the process, and so does this state; it is the one exception to "no
// global mutable state outside the runtime object".

namespace forerun::signals {
namespace {

using SetAction = int (*)(int, const struct sigaction *, struct sigaction *);
using SetHandler = sighandler_t (*)(int, sighandler_t);

constexpr std::array kFaults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct Shared {
  int signal = 0; ///< 0: not taken over
  struct sigaction program{};
};
std::array<Shared, kFaults.size() + 1> shared; // the last: the end signal
std::atomic<int> theEndSignal{0};
std::array<std::atomic<Claim>, kClaims> theClaims{};
std::atomic_flag busy = ATOMIC_FLAG_INIT;
/// This thread holds the guard: what it calls may call our functions again (a sanitizer's signal
/// calls sigaction).
__attribute__((tls_model("initial-exec"))) thread_local bool holding = false;

/// Guards `shared`. sigaction may be called in handlers, so nothing may interrupt the holder.
class Guard {
public:
  Guard() {
    sigset_t everything;
    sigfillset(&everything);
    pthread_sigmask(SIG_SETMASK, &everything, &before_);
    while (busy.test_and_set(std::memory_order_acquire))
      sched_yield();
    holding = true;
  }
  ~Guard() {
    holding = false;
    busy.clear(std::memory_order_release);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  sigset_t before_;
};

template <typename Function> Function next(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// Looked up when the library is loaded: later, in a child between fork and exec, it could hang.
const auto kLoadedSetAction = next<SetAction>("sigaction");
const auto kLoadedSetHandler = next<SetHandler>("signal");

/// The program's calls reach the function that they would have reached without us.
int nextSetAction(int signal, const struct sigaction *action, struct sigaction *before) {
  const auto function =
      kLoadedSetAction != nullptr ? kLoadedSetAction : next<SetAction>("sigaction");
  return function(signal, action, before);
}

sighandler_t nextSetHandler(int signal, sighandler_t handler) {
  const auto function =
      kLoadedSetHandler != nullptr ? kLoadedSetHandler : next<SetHandler>("signal");
  return function(signal, handler);
}

/// Our own calls use libc's: UCX interposes a sigaction that ignores its error signals.
/// ThreadSanitizer's must be used, though: it must know when instrumented code is interrupted.
int setAction(int signal, const struct sigaction *action, struct sigaction *before) {
#ifdef FORERUN_THREAD_SANITIZER
  return nextSetAction(signal, action, before);
#else
  static const auto kFunction = [] {
    void *libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = libc != nullptr ? dlsym(libc, "sigaction") : nullptr;
    return symbol != nullptr ? reinterpret_cast<SetAction>(symbol) : next<SetAction>("sigaction");
  }();
  return kFunction(signal, action, before);
#endif
}

Shared *find(int signal) {
  for (Shared &entry : shared)
    if (signal != 0 && entry.signal == signal)
      return &entry;
  return nullptr;
}

bool hasHandler(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) != 0 ||
         (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void onSignal(int signal, siginfo_t *info, void *context);

bool isOurs(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == onSignal;
}

/// Our handler under the rules of the program's handler.
bool install(const Shared &entry) {
  struct sigaction ours{};
  ours.sa_sigaction = onSignal;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  if (hasHandler(entry.program)) {
    ours.sa_flags |= entry.program.sa_flags & (SA_RESTART | SA_NODEFER);
    ours.sa_mask = entry.program.sa_mask;
  }
  return setAction(entry.signal, &ours, nullptr) == 0;
}

/// The default action, by the system itself: with ours out of the way a fault happens again, and
/// any other signal is sent again and stays pending until we return.
void leaveToSystem(int signal, siginfo_t *info, const struct sigaction &program) {
  setAction(signal, &program, nullptr);
  if (info->si_code <= 0)
    syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, info);
}

void passOn(int signal, siginfo_t *info, void *context) {
  struct sigaction program{};
  {
    const Guard guard;
    Shared *entry = find(signal);
    if (entry == nullptr) // given back just now
      return;
    program = entry->program;
    if (hasHandler(program) && (program.sa_flags & SA_RESETHAND) != 0) {
      entry->program = {};
      install(*entry);
    }
  }
  const bool fault = info->si_code > 0;
  if ((program.sa_flags & SA_SIGINFO) != 0)
    program.sa_sigaction(signal, info, context);
  else if (program.sa_handler == SIG_DFL || (program.sa_handler == SIG_IGN && fault))
    leaveToSystem(signal, info, program);
  else if (program.sa_handler != SIG_IGN)
    program.sa_handler(signal);
}

void onSignal(int signal, siginfo_t *info, void *context) {
  for (const std::atomic<Claim> &each : theClaims) {
    const Claim claim = each.load(std::memory_order_acquire);
    if (claim != nullptr && claim(signal, *info, context))
      return;
  }
  passOn(signal, info, context);
}

/// The slot of \p claim; for null, a free one. Null: there is none.
std::atomic<Claim> *placeOf(Claim claim) {
  for (std::atomic<Claim> &each : theClaims)
    if (each.load(std::memory_order_relaxed) == claim)
      return &each;
  return nullptr;
}

bool isClaimed() {
  for (const std::atomic<Claim> &each : theClaims)
    if (each.load(std::memory_order_relaxed) != nullptr)
      return true;
  return false;
}

/// A real-time signal that nobody uses.
int freeSignal() {
  for (int signal = SIGRTMAX - 1; signal > SIGRTMIN; --signal) {
    struct sigaction action{};
    if (setAction(signal, nullptr, &action) == 0 && !hasHandler(action) &&
        action.sa_handler == SIG_DFL)
      return signal;
  }
  return 0;
}

/// Makes the program's own call, then puts our handler back in front of what it set.
template <typename Call> auto around(Shared &entry, Call call) {
  const auto result = call();
  struct sigaction now{};
  if (setAction(entry.signal, nullptr, &now) == 0 && !isOurs(now)) {
    entry.program = now;
    install(entry);
  }
  return result;
}

} // namespace

bool takeOver(Claim claim) {
  const Guard guard;
  if (placeOf(claim) != nullptr)
    return true;
  const bool isTaken = theEndSignal.load(std::memory_order_relaxed) != 0;
  const int end = isTaken ? 0 : freeSignal();
  std::atomic<Claim> *const place = placeOf(nullptr);
  if (place == nullptr || (!isTaken && end == 0))
    return false;
  place->store(claim, std::memory_order_release);
  if (isTaken)
    return true;
  // Another thread may hold the guard when the program forks; that thread is missing in the child.
  static const int kAtFork =
      pthread_atfork(nullptr, nullptr, [] { busy.clear(std::memory_order_release); });
  bool taken = kAtFork == 0;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    Shared &entry = shared[i];
    entry.signal = i < kFaults.size() ? kFaults[i] : end;
    taken = taken && setAction(entry.signal, nullptr, &entry.program) == 0 && install(entry);
  }
  theEndSignal.store(end, std::memory_order_relaxed);
  return taken;
}

void giveBack(Claim claim) {
  const Guard guard;
  if (std::atomic<Claim> *place = placeOf(claim))
    place->store(nullptr, std::memory_order_release);
  if (isClaimed())
    return;
  for (Shared &entry : shared) {
    if (entry.signal != 0)
      setAction(entry.signal, &entry.program, nullptr);
    entry = {};
  }
  theEndSignal.store(0, std::memory_order_relaxed);
}

int endSignal() { return theEndSignal.load(std::memory_order_relaxed); }

bool isSentToThread(const siginfo_t &info) {
  return info.si_code == SI_TKILL && info.si_pid == getpid();
}

void giveToMainThread(siginfo_t info) {
  if (info.si_code >= 0 || info.si_code == SI_TKILL)
    info.si_code = SI_QUEUE;
  syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), info.si_signo, &info);
}

void take(bool does) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kFaults)
    sigaddset(&set, signal);
  if (const int end = endSignal(); end != 0)
    sigaddset(&set, end);
  pthread_sigmask(does ? SIG_UNBLOCK : SIG_BLOCK, &set, nullptr);
}

const char *nameOf(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "a segmentation fault (SIGSEGV)";
  case SIGBUS:
    return "a bus error (SIGBUS)";
  case SIGFPE:
    return "an arithmetic error (SIGFPE)";
  case SIGILL:
    return "an illegal instruction (SIGILL)";
  case SIGABRT:
    return "abort (SIGABRT)";
  default:
    return "a signal";
  }
}

} // namespace forerun::signals

// ---- in front of libc ----

using namespace forerun::signals;

extern "C" {

__attribute__((visibility("default"))) int sigaction(int signal, const struct sigaction *action,
                                                     struct sigaction *before) noexcept {
  if (endSignal() == 0 || holding)
    return nextSetAction(signal, action, before);
  const Guard guard;
  Shared *entry = find(signal);
  if (entry == nullptr)
    return nextSetAction(signal, action, before);
  const struct sigaction had = entry->program;
  const int rc = around(*entry, [&] { return nextSetAction(signal, action, nullptr); });
  if (rc == 0 && before != nullptr)
    *before = had;
  return rc;
}

__attribute__((visibility("default"))) sighandler_t signal(int signal,
                                                           sighandler_t handler) noexcept {
  if (endSignal() == 0 || holding)
    return nextSetHandler(signal, handler);
  const Guard guard;
  Shared *entry = find(signal);
  if (entry == nullptr)
    return nextSetHandler(signal, handler);
  const sighandler_t had = entry->program.sa_handler;
  const sighandler_t result = around(*entry, [&] { return nextSetHandler(signal, handler); });
  return result == SIG_ERR ? result : had;
}
}
