// SPDX-License-Identifier: Apache-2.0
#include "thread/Signals.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace forerun;

// Every test runs in a process of its own (EXPECT_EXIT): signal actions belong to the process.

namespace {

bool claimNothing(int, const siginfo_t &, void *) { return false; }

void say(const char *text) { fputs(text, stderr); }

[[gnu::noinline]] void fault() {
  static void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char *>(page) = 1;
}

void handle(int signal, void (*handler)(int), int flags = 0) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(signal, &action, nullptr);
}

/// Sanitizers intercept some of these.
void beginWithDefaults() {
  for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    handle(each, SIG_DFL);
}

TEST(SignalsTest, FaultWithoutAHandlerKillsAsEver) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        signals::takeOver(claimNothing);
        fault();
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(SignalsTest, AbortKillsAsEver) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        signals::takeOver(claimNothing);
        abort();
      },
      testing::KilledBySignal(SIGABRT), "");
}

TEST(SignalsTest, SignalFromOutsideKillsAsEver) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        signals::takeOver(claimNothing);
        kill(getpid(), SIGFPE);
        pause();
      },
      testing::KilledBySignal(SIGFPE), "");
}

TEST(SignalsTest, HandlerOfBeforeGetsTheSameArguments) {
  EXPECT_EXIT(
      {
        struct sigaction action{};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = [](int number, siginfo_t *info, void *context) {
          _exit(number == SIGSEGV && info->si_code == SEGV_ACCERR && info->si_addr != nullptr &&
                        context != nullptr
                    ? 7
                    : 1);
        };
        sigaction(SIGSEGV, &action, nullptr);
        signals::takeOver(claimNothing);
        fault();
      },
      testing::ExitedWithCode(7), "");
}

TEST(SignalsTest, HandlerInstalledLaterIsPassedOnTo) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        signals::takeOver([](int, const siginfo_t &, void *) {
          say("claim looked. ");
          return false;
        });
        handle(SIGSEGV, [](int) {
          say("program's turn.");
          _exit(8);
        });
        fault();
      },
      testing::ExitedWithCode(8), "claim looked. program's turn.");
}

TEST(SignalsTest, HandlerInstalledLaterDoesNotSeeWhatIsClaimed) {
  EXPECT_EXIT(
      {
        static sigjmp_buf base;
        beginWithDefaults();
        signals::takeOver([](int, const siginfo_t &, void *) -> bool { siglongjmp(base, 1); });
        signal(SIGSEGV, [](int) { _exit(1); });
        handle(SIGFPE, [](int) { _exit(2); });
        volatile int claimed = 0;
        if (sigsetjmp(base, 1) == 0)
          fault();
        else
          claimed = claimed + 1;
        if (sigsetjmp(base, 1) == 0)
          raise(SIGFPE);
        else
          claimed = claimed + 1;
        _exit(claimed == 2 ? 9 : 3);
      },
      testing::ExitedWithCode(9), "");
}

TEST(SignalsTest, ProgramSeesItsOwnActionsAndNeverOurs) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        signals::takeOver(claimNothing);
        struct sigaction seen{};
        sigaction(SIGSEGV, nullptr, &seen);
        const bool defaultSeen = seen.sa_handler == SIG_DFL && (seen.sa_flags & SA_SIGINFO) == 0;
        const auto mine = [](int) {};
        const bool defaultReturned = signal(SIGSEGV, mine) == SIG_DFL;
        const bool mineReturned = signal(SIGSEGV, SIG_IGN) == +mine;
        sigaction(SIGSEGV, nullptr, &seen);
        _exit(defaultSeen && defaultReturned && mineReturned && seen.sa_handler == SIG_IGN ? 4 : 1);
      },
      testing::ExitedWithCode(4), "");
}

TEST(SignalsTest, IgnoredSignalStaysIgnored) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        signals::takeOver(claimNothing);
        signal(SIGFPE, SIG_IGN);
        raise(SIGFPE);
        kill(getpid(), SIGFPE);
        _exit(5);
      },
      testing::ExitedWithCode(5), "");
}

TEST(SignalsTest, OneShotHandlerIsCalledOnce) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        handle(SIGFPE, [](int) { say("once"); }, static_cast<int>(SA_RESETHAND));
        signals::takeOver(claimNothing);
        raise(SIGFPE);
        raise(SIGFPE);
      },
      testing::KilledBySignal(SIGFPE), "^once$");
}

TEST(SignalsTest, WhatIsGivenBackIsTheProgramsLatest) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        const signals::Claim claimAll = [](int, const siginfo_t &, void *) {
          say("ours");
          return true;
        };
        signals::takeOver(claimAll);
        signal(SIGFPE, [](int) { say("program's"); });
        signals::giveBack(claimAll);
        raise(SIGFPE);
        _exit(6);
      },
      testing::ExitedWithCode(6), "^program's$");
}

TEST(SignalsTest, WhoClaimsIsAskedUntilHeGivesBack) {
  EXPECT_EXIT(
      {
        beginWithDefaults();
        const signals::Claim first = [](int, const siginfo_t &, void *) {
          say("first, ");
          return false;
        };
        const signals::Claim second = [](int, const siginfo_t &, void *) {
          say("second. ");
          return true;
        };
        const bool both = signals::takeOver(first) && signals::takeOver(second);
        const bool third = signals::takeOver(claimNothing);
        const bool fourth = signals::takeOver([](int, const siginfo_t &, void *) { return false; });
        raise(SIGFPE);
        signals::giveBack(first);
        raise(SIGFPE);
        signals::giveBack(second);
        signals::giveBack(claimNothing);
        signal(SIGFPE, [](int) { say("program's"); });
        raise(SIGFPE);
        _exit(both && third && !fourth ? 5 : 1);
      },
      testing::ExitedWithCode(5), "^first, second. second. program's$");
}

TEST(SignalsTest, EndSignalIsOneThatTheProgramDoesNotUse) {
  EXPECT_EXIT(
      {
        handle(SIGRTMAX - 1, [](int) {});
        signals::takeOver(claimNothing);
        _exit(signals::endSignal() == SIGRTMAX - 2 ? 3 : 1);
      },
      testing::ExitedWithCode(3), "");
}

} // namespace
