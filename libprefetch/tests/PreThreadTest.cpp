// SPDX-License-Identifier: Apache-2.0
#include "thread/PreThread.h"

#include "OnPreThread.h"
#include "forerun/runtime.h"
#include "thread/Signals.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace forerun;

namespace {

constexpr int kSites = 4;
constexpr std::uint64_t kGlanceNs = 1'000'000; ///< between two looks at a thread that takes long

/// A pre-execution thread with a main thread's progress and nobody to read its records.
struct Bench : Between {
  explicit Bench(void (*pre)(void *), const Options &options = {}, const void *data = nullptr,
                 std::size_t bytes = 0)
      : Between(kSites), thread({pre, data, bytes}, options, *this) {
    EXPECT_TRUE(thread.start());
  }
  Bench(void (*pre)(void *), unsigned leash)
      : Between(kSites), thread({pre, nullptr, 0}, {}, *this) {
    distance.set(leash, 0);
    EXPECT_TRUE(thread.start());
  }
  ~Bench() { thread.stop(); }
  Bench(const Bench &) = delete;
  Bench &operator=(const Bench &) = delete;

  /// Waits until the thread ends by itself. Its stream is closed just before.
  std::string awaitEnd() {
    while (!thread.ended())
      wake.wait(wake.prepare(), kGlanceNs);
    EXPECT_FALSE(stream.push({}));
    return thread.why();
  }

  PreThread thread;
};

[[gnu::noinline]] int recurse(volatile char *above) {
  volatile char here[4096];
  here[0] = static_cast<char>(above[0] | 1);
  return here[0] == 0 ? 0 : recurse(here) + here[0];
}

struct Fault {
  const char *name;
  void (*pre)(void *);
  const char *why;
};

const Fault kFaults[] = {
    {"Segmentation",
     [](void *) {
       void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       *static_cast<volatile char *>(page) = 1;
     },
     "a segmentation fault (SIGSEGV)"},
    {"BusError",
     [](void *) {
       const int file = memfd_create("forerun", 0);
       *static_cast<volatile char *>(mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED, file, 0)) = 1;
     },
     "a bus error (SIGBUS)"},
    {"SegmentationInsideOfLibc", // which has registered what a jump out of it is to undo
     [](void *) {
       void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       (void)std::sscanf("7", "%d", static_cast<int *>(page)); // NOLINT: checks nothing
     },
     "a segmentation fault (SIGSEGV)"},
    {"Arithmetic", [](void *) { raise(SIGFPE); }, "an arithmetic error (SIGFPE)"},
    {"IllegalInstruction", [](void *) { __builtin_trap(); }, "an illegal instruction (SIGILL)"},
    {"Abort", [](void *) { abort(); }, "abort (SIGABRT)"},
    {"Exit", [](void *) { exit(3); }, "exit"},
    {"QuickExit", [](void *) { quick_exit(3); }, "quick_exit"},
    {"ExitWithUnderscore", [](void *) { _exit(3); }, "_exit"},
    {"MpiAbort", [](void *) { MPI_Abort(MPI_COMM_WORLD, 3); }, "MPI_Abort"},
    {"EmittedExit", [](void *) { forerun_pre_exit(); }, "it reached an exit of the program"},
    {"LargeCount",
     [](void *) { forerun_pre_read(0, MPI_FILE_NULL, (MPI_Count{1} << 32) + 4, MPI_BYTE); },
     "it reached a call with more elements than an int can count"},
    {"Return", [](void *) {}, "its function has returned"},
};

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, EndsTheThreadAlone) {
  Bench bench(GetParam().pre);
  EXPECT_EQ(bench.awaitEnd(), GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(PreThreadTest, Faults, testing::ValuesIn(kFaults),
                         [](const auto &test) { return test.param.name; });

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Sanitizers have an opinion of their own on these two.
TEST(PreThreadTest, EndlessRecursionEndsTheThreadAlone) {
  Bench bench([](void *) {
    volatile char first[1] = {0};
    recurse(first);
  });
  EXPECT_EQ(bench.awaitEnd(), "a segmentation fault (SIGSEGV)");
}

TEST(PreThreadTest, DivisionByZeroEndsTheThreadAlone) {
  Bench bench([](void *) {
    volatile int zero = 0;
    volatile int result = 1000 / zero; // NOLINT: this is the point
    (void)result;
  });
  EXPECT_EQ(bench.awaitEnd(), "an arithmetic error (SIGFPE)");
}
#endif

TEST(PreThreadTest, WatchdogEndsAnEndlessLoop) {
  Options options;
  options.watchdogSeconds = 1;
  Bench bench(
      [](void *) {
        std::atomic<unsigned> turns{0};
        for (;;)
          turns.fetch_add(1);
      },
      options);
  EXPECT_EQ(bench.awaitEnd(), "the watchdog: too much CPU time without a call of the runtime");
}

TEST(PreThreadTest, WatchdogLeavesAThreadAloneThatComesBackToTheRuntime) {
  Options options;
  options.watchdogSeconds = 1;
  Bench bench(
      [](void *) {
        // Two periods of CPU time in all.
        timespec now{};
        while (now.tv_sec < 2) {
          forerun_pre_at(-1); // a site that nobody waits for
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        }
      },
      options);
  EXPECT_EQ(bench.awaitEnd(), "its function has returned");
}

/// During its lifetime, threads that the calling thread starts share one core with it.
class OneCore {
public:
  OneCore() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof before_, &before_); }
  OneCore(const OneCore &) = delete;
  OneCore &operator=(const OneCore &) = delete;

private:
  cpu_set_t before_{};
};

void compute(unsigned turns) {
  std::atomic<unsigned> done{0};
  while (done.fetch_add(1) < turns)
    ;
}

constexpr unsigned kTurns = 20'000; ///< some hundred microseconds

TEST(PreThreadTest, AThreadThatComputesAsMuchAsTheProgramRunsWhenCoresAreIdle) {
  const OneCore core;
  static std::atomic<int> policy;
  policy = SCHED_OTHER;
  Bench bench([](void *) {
    for (; policy != SCHED_IDLE; policy = sched_getscheduler(0)) {
      forerun_pre_at(0);
      compute(kTurns);
    }
  });
  while (!bench.thread.isThrottled()) {
    bench.progress.pass(0);
    compute(kTurns);
  }
  EXPECT_EQ(bench.awaitEnd(), "its function has returned");
  EXPECT_EQ(policy, SCHED_IDLE);
}

TEST(PreThreadTest, WhereItComputesLittleItRunsAsAnyThread) {
  const OneCore core;
  Bench bench([](void *) {
    for (;;) {
      forerun_pre_at(0);
      compute(kTurns / 20);
    }
  });
  for (int calls = 0; calls < 2000; ++calls) {
    bench.progress.pass(0);
    compute(kTurns);
  }
  EXPECT_FALSE(bench.thread.isThrottled());
}

TEST(PreThreadTest, WhereCoresAreFreeItMayComputeAsMuchAsTheProgram) {
  CpuThrottle::Counts window{.ownNs = 30'000'000,
                             .ownCalls = 10,
                             .programNs = 30'000'000,
                             .programCalls = 10,
                             .interruptions = 2};
  EXPECT_TRUE(CpuThrottle::isHeavy(window));
  EXPECT_FALSE(CpuThrottle::isContended(window));
  window.interruptions = 3;
  EXPECT_TRUE(CpuThrottle::isContended(window));
  window.ownCalls = 50;
  EXPECT_FALSE(CpuThrottle::isHeavy(window));
}

TEST(PreThreadTest, IsEndedWhileItWaitsInAFullStream) {
  static std::atomic<Stream *> full;
  full = nullptr;
  Bench bench([](void *) {
    while (full == nullptr)
      std::this_thread::yield();
    while (full.load()->push({}))
      ;
  });
  full = &bench.stream;
  while (bench.stream.front() == nullptr)
    std::this_thread::yield();
  bench.thread.stop();
  EXPECT_STREQ(bench.thread.why(), "MPI_Finalize");
  full = nullptr;
}

TEST(PreThreadTest, IsEndedWhileItWaitsAtASynchronisationPoint) {
  Bench bench([](void *) { forerun_pre_sync(1); });
  bench.thread.stop();
  EXPECT_STREQ(bench.thread.why(), "MPI_Finalize");
}

TEST(PreThreadTest, IsEndedOnlyWhenItMayBe) {
  static std::atomic<int> stage;
  stage = 0;
  Bench bench([](void *) {
    {
      const PreThread::Unstoppable outer;
      {
        const PreThread::Unstoppable inner;
        stage = 1;
        while (stage < 2)
          std::this_thread::yield();
      }
      stage = 3;
    }
    stage = 4;
  });
  while (stage < 1)
    std::this_thread::yield();
  bench.thread.askToEnd("a test");
  stage = 2;
  EXPECT_EQ(bench.awaitEnd(), "a test");
  EXPECT_EQ(stage, 3);
}

TEST(PreThreadTest, FaultWhereItIsUnstoppableEndsIt) {
  Bench bench([](void *) {
    const PreThread::Unstoppable unstoppable;
    abort();
  });
  EXPECT_EQ(bench.awaitEnd(), "abort (SIGABRT)");
}

TEST(PreThreadTest, TheStackOfItsHandlersIsLeftToItsOwner) {
  static void *handlers;
  Bench bench([](void *) {
    stack_t now{};
    sigaltstack(nullptr, &now);
    handlers = now.ss_sp;
  });
  bench.awaitEnd();
  bench.thread.stop();
  // AddressSanitizer unmaps the alternate stack with which a thread ends.
  EXPECT_EQ(msync(handlers, 1, MS_ASYNC), 0) << "it is no longer mapped";
}

TEST(PreThreadTest, TakesNoSignalOfTheProgram) {
  static std::atomic<bool> mayEnd;
  static std::atomic<pthread_t> handledBy;
  mayEnd = false;
  handledBy = pthread_t{};
  struct sigaction before{};
  struct sigaction action{};
  action.sa_handler = [](int) { handledBy = pthread_self(); };
  sigaction(SIGUSR1, &action, &before);
  Bench bench([](void *) {
    while (!mayEnd)
      std::this_thread::yield();
  });
  kill(getpid(), SIGUSR1);
  while (handledBy == pthread_t{})
    std::this_thread::yield();
  EXPECT_EQ(handledBy, pthread_self());
  mayEnd = true;
  bench.awaitEnd();
  sigaction(SIGUSR1, &before, nullptr);
}

/// This also holds for the signal by which the thread is ended, should the program use it.
TEST(PreThreadTest, GivesTheMainThreadWhatIsNotItsOwn) {
  static std::atomic<bool> mayEnd;
  static std::atomic<int> handled;
  static std::atomic<bool> here;
  mayEnd = false;
  handled = 0;
  here = true;
  Bench bench([](void *) {
    while (!mayEnd)
      std::this_thread::yield();
  });
  const int end = signals::endSignal();
  struct sigaction action{};
  action.sa_sigaction = [](int, siginfo_t *info, void *) {
    here = here && gettid() == getpid() && info->si_pid == getpid();
    ++handled;
  };
  action.sa_flags = SA_SIGINFO;
  struct sigaction before{};
  sigaction(end, &action, nullptr);
  sigaction(SIGSEGV, &action, &before); // as others send it
  // Only the thread may take what the main thread blocks. One at a time: sanitizers keep no more.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, end);
  sigaddset(&set, SIGSEGV);
  constexpr int kTimes = 20;
  for (int n = 0; n < kTimes; ++n) {
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    if (n % 3 == 0)
      sigqueue(getpid(), end, {});
    else
      kill(getpid(), n % 3 == 1 ? end : SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    while (handled <= n)
      std::this_thread::yield();
  }
  EXPECT_TRUE(here);
  sigaction(SIGSEGV, &before, nullptr);
  mayEnd = true;
  EXPECT_EQ(bench.awaitEnd(), kReturned);
}

TEST(PreThreadTest, GetsAPrivateCopyOfItsArgument) {
  static std::atomic<bool> changed;
  static std::atomic<int> seen;
  changed = false;
  seen = 0;
  int data = 42;
  Bench bench(
      [](void *argument) {
        while (!changed)
          std::this_thread::yield();
        seen = *static_cast<int *>(argument);
      },
      {}, &data, sizeof data);
  data = 7;
  changed = true;
  bench.awaitEnd();
  EXPECT_EQ(seen, 42);
}

TEST(PreThreadTest, OccurrencesOfASiteAreCountedAndLateOnesSkipped) {
  static std::array<int, 4> at;
  static CallId last;
  const auto pre = [](void *) {
    forerun_pre_sync(3);
    for (int &each : at)
      each = forerun_pre_at(2);
    last = PreThread::self()->current();
  };
  Bench bench(pre);
  bench.progress.pass(2);
  bench.progress.pass(2);
  bench.progress.pass(3);
  bench.awaitEnd();
  EXPECT_EQ(at, (std::array{0, 0, 1, 1}));
  EXPECT_EQ(last.site, 2);
  EXPECT_EQ(last.occurrence, 3u);
}

TEST(PreThreadTest, OpenReturnsWhatTheMainThreadsOpenGave) {
  static std::array<MPI_File, 2> files;
  Bench bench([](void *) {
    for (MPI_File &file : files)
      file = forerun_pre_open(0);
  });
  const auto handle = reinterpret_cast<MPI_File>(&files); // never followed
  bench.progress.pass(0, {.file = handle});
  bench.progress.pass(0); // failed
  bench.awaitEnd();
  EXPECT_EQ(files[0], handle);
  EXPECT_EQ(files[1], MPI_FILE_NULL);
}

template <std::atomic<int> *Calls> void callFiftyTimes(void *) {
  for (int i = 0; i < 50; ++i) {
    forerun_pre_at(0);
    ++*Calls;
  }
}

TEST(PreThreadTest, LeashHoldsItNotMoreThanSoManyCallsAhead) {
  static std::atomic<int> calls;
  calls = 0;
  Bench bench(callFiftyTimes<&calls>, 5);
  for (int passed = 0; passed < 50; ++passed) {
    while (calls < std::min(passed + 5, 50))
      std::this_thread::yield();
    EXPECT_LE(calls, passed + 5);
    bench.progress.pass(0);
  }
  bench.awaitEnd();
}

TEST(PreThreadTest, CallsThatNeverComeHoldItOnlyUntilItsOwnHasBeenPassed) {
  static std::atomic<int> calls;
  calls = 0;
  constexpr int kLeash = 5;
  Bench bench(
      [](void *) {
        for (int n = 0; n < kLeash; ++n)
          forerun_pre_at(1);
        for (int n = 0; n < 3; ++n) {
          ++calls;
          forerun_pre_at(0);
        }
      },
      kLeash);
  for (int n = 1; n <= 3; ++n) {
    while (calls < n)
      std::this_thread::yield();
    bench.progress.pass(0);
  }
  EXPECT_EQ(bench.awaitEnd(), "its function has returned");
}

TEST(PreThreadTest, ALeashMayBecomeLongerAndShorterWhileItRuns) {
  static std::atomic<int> calls;
  calls = 0;
  Bench bench(callFiftyTimes<&calls>, 5);
  const auto awaitCalls = [&](int wanted) {
    while (calls < wanted)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(calls, wanted);
  };
  int passed = 0;
  awaitCalls(5);
  bench.distance.set(7, 0);
  for (; passed < 8; ++passed) {
    bench.progress.pass(0);
    awaitCalls(passed + 1 + 7);
  }
  bench.distance.set(3, 0);
  for (; passed < 17; ++passed)
    bench.progress.pass(0);
  awaitCalls(20);
  for (; passed < 49; ++passed) {
    bench.progress.pass(0);
    awaitCalls(std::min(passed + 1 + 3, 50));
  }
  bench.awaitEnd();
}

TEST(PreThreadTest, StandInsDoNothingOnOtherThreads) {
  EXPECT_EQ(forerun_pre_malloc(10), nullptr);
  EXPECT_EQ(forerun_pre_calloc(10, 10), nullptr);
  EXPECT_EQ(forerun_pre_realloc(nullptr, 10), nullptr);
  int mine = 5;
  forerun_pre_free(&mine);
  forerun_pre_srand(1);
  EXPECT_EQ(forerun_pre_rand(), 0);
  EXPECT_EQ(forerun_pre_drand48(), 0.0);
  EXPECT_EQ(forerun_pre_at(0), 0);
  EXPECT_EQ(forerun_pre_open(0), MPI_FILE_NULL);
  forerun_pre_sync(0);
  forerun_pre_exit();
}

TEST(PreThreadTest, StandInsGiveTheMainThreadsNumbersAndMemoryOfTheirOwn) {
  static int number;
  static double real;
  static bool copied;
  srand(12);
  srand48(34);
  Bench bench([](void *) {
    number = forerun_pre_rand();
    real = forerun_pre_drand48();
    char *block = static_cast<char *>(forerun_pre_malloc(8));
    std::memcpy(block, "forerun", 8);
    block = static_cast<char *>(forerun_pre_realloc(block, 100000));
    copied = std::strcmp(block, "forerun") == 0;
    forerun_pre_free(block);
  });
  bench.awaitEnd();
  EXPECT_EQ(number, rand());
  EXPECT_EQ(real, drand48());
  EXPECT_TRUE(copied);
}

} // namespace
