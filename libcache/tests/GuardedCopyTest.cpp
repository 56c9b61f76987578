// SPDX-License-Identifier: Apache-2.0
// Reads into memory that cannot be written to are misses, whatever of it they come to.
#include "forerun/GuardedCopy.h"
#include "PoolFixture.h"

#include <atomic>
#include <csignal>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>

using namespace forerun;

namespace {

std::atomic<int> faults;

void onFault(int signal, siginfo_t *info, void *context) {
  ++faults;
  if (!endFaultedCopy(signal, *info, context))
    ::signal(signal, SIG_DFL);
}

/// The handler that libprefetch has, while one of these lives.
class Handled {
public:
  Handled() {
    faults = 0;
    struct sigaction action{};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &segv_);
    sigaction(SIGBUS, &action, &bus_);
  }
  ~Handled() {
    sigaction(SIGSEGV, &segv_, nullptr);
    sigaction(SIGBUS, &bus_, nullptr);
  }
  Handled(const Handled &) = delete;
  Handled &operator=(const Handled &) = delete;

private:
  struct sigaction segv_{}, bus_{};
};

/// Pages, of which some cannot be written to.
class Memory {
public:
  static constexpr std::size_t kMemoryPage = 4096;
  explicit Memory(std::size_t pages, int protection = PROT_READ | PROT_WRITE)
      : bytes_(pages * kMemoryPage),
        begin_(static_cast<char *>(
            mmap(nullptr, bytes_, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  ~Memory() { munmap(begin_, bytes_); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  char *at(std::size_t page) const { return begin_ + page * kMemoryPage; }
  void protect(std::size_t page, int protection) const {
    mprotect(at(page), kMemoryPage, protection);
  }

private:
  std::size_t bytes_;
  char *begin_;
};

TEST(GuardedCopy, CopiesAndSaysWhereItCannot) {
  const Handled handled;
  const std::vector<char> bytes = bytesOf(0, 4 * Memory::kMemoryPage);
  const Memory whole(4);
  EXPECT_TRUE(copyGuarded(whole.at(0), bytes.data(), bytes.size()));
  EXPECT_EQ(std::memcmp(whole.at(0), bytes.data(), bytes.size()), 0);
  EXPECT_EQ(faults, 0);

  for (const int protection : {PROT_READ, PROT_NONE}) {
    const Memory hole(4);
    hole.protect(2, protection);
    EXPECT_FALSE(copyGuarded(hole.at(0), bytes.data(), bytes.size()));
    EXPECT_FALSE(copyGuarded(hole.at(2), bytes.data(), 1));
    EXPECT_TRUE(copyGuarded(hole.at(3), bytes.data(), Memory::kMemoryPage));
  }
  EXPECT_FALSE(copyGuarded(nullptr, bytes.data(), 100));
#ifndef __SANITIZE_ADDRESS__ // which ends the program before the processor sees such an address
  EXPECT_FALSE(copyGuarded(reinterpret_cast<void *>(0xdeadbeefdeadbeef), bytes.data(), 100));
  --faults;
#endif
  EXPECT_TRUE(copyGuarded(nullptr, bytes.data(), 0));
  EXPECT_EQ(faults, 5);
}

TEST(GuardedCopy, MemoryOfAFileThatEndsIsNoMemory) {
  const Handled handled;
  const Descriptor descriptor;
  const int fd = open(descriptor.path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(ftruncate(fd, 4096), 0);
  void *const mapped = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const std::vector<char> bytes(8192, 'x');
  EXPECT_TRUE(copyGuarded(mapped, bytes.data(), 4096));
  EXPECT_FALSE(copyGuarded(mapped, bytes.data(), 8192)); // SIGBUS
  munmap(mapped, 8192);
  close(fd);
}

TEST(GuardedCopy, TheThreadsMaskAndItsHandlersStackAreAsBefore) {
  const Handled handled;
  const Memory none(1, PROT_NONE);
  std::vector<char> stackMemory(1 << 16);
  std::thread([&] {
    const stack_t handlers{
        .ss_sp = stackMemory.data(), .ss_flags = 0, .ss_size = stackMemory.size()};
    sigaltstack(&handlers, nullptr);
    sigset_t some, after;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &some, nullptr);
    for (int again = 0; again < 1000; ++again)
      EXPECT_FALSE(copyGuarded(none.at(0), &some, sizeof some));
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    EXPECT_TRUE(sigismember(&after, SIGUSR1));
    EXPECT_FALSE(sigismember(&after, SIGSEGV));
    stack_t now{};
    sigaltstack(nullptr, &now);
    EXPECT_EQ(now.ss_sp, stackMemory.data());
    EXPECT_EQ(now.ss_flags, 0);
    const stack_t off{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&off, nullptr);
  }).join();
}

TEST(GuardedCopy, FaultsOfOthersAreTheirs) {
  EXPECT_EXIT(
      {
        const Handled handled;
        const Memory none(1, PROT_NONE);
        (void)copyGuarded(none.at(0), "x", 1);
        *static_cast<volatile char *>(none.at(0)) = 1; // no copy is in progress
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(GuardedCopy, ThreadsCopyAndFaultSideBySide) {
  const Handled handled;
  const std::vector<char> bytes = bytesOf(0, 10'000);
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([&] {
      const Memory none(1, PROT_NONE); // of its own: an attempt to write is a write
      std::vector<char> to(bytes.size());
      for (int again = 0; again < 500; ++again) {
        EXPECT_FALSE(copyGuarded(none.at(0), bytes.data(), 4096));
        EXPECT_TRUE(copyGuarded(to.data(), bytes.data(), to.size()));
      }
      EXPECT_EQ(to, bytes);
    });
  for (std::thread &each : threads)
    each.join();
  EXPECT_EQ(faults, 2000);
}

class IntoBadMemory : public CacheFixture {};

TEST_F(IntoBadMemory, AReadIsAMissAndLeavesThePagesUsable) {
  const Handled handled;
  const Memory memory(8); // two pages of the cache
  memory.protect(6, PROT_READ);
  fill(0, 4 * kPage);
  const auto outcome = [&](const char *to, std::uint64_t offset, std::size_t length) {
    return cache->read(*file, const_cast<char *>(to), offset, length).outcome;
  };
  EXPECT_EQ(outcome(memory.at(6), 0, 100), Outcome::Miss);           // without the mutex
  EXPECT_EQ(outcome(memory.at(4), kPage, kPage), Outcome::Miss);     // a page
  EXPECT_EQ(outcome(memory.at(0), kPage, 2 * kPage), Outcome::Miss); // several
  EXPECT_EQ(outcome(memory.at(0), kPage, kPage), Outcome::Hit);
  EXPECT_EQ(std::memcmp(memory.at(0), bytesOf(kPage, kPage).data(), kPage), 0);
  EXPECT_EQ(stats().hits, 1U);
  EXPECT_EQ(stats().hitBytes, kPage);
  EXPECT_EQ(stats().misses, 3U);
  for (std::uint64_t page = 20; page < 28; ++page) // all frames can be had again
    fill(page * kPage, kPage);
  EXPECT_FALSE(covered(0, 4 * kPage));
}

class IntoBadMemoryFromOthers : public PoolFixture {};

TEST_F(IntoBadMemoryFromOthers, AReadIsAMiss) {
  const Handled handled;
  const Memory memory(4);
  memory.protect(2, PROT_NONE);
  one.bring(0, kPage);
  EXPECT_EQ(two.cache->read(*two.file, memory.at(2), 0, 100).outcome, Outcome::Miss);
  EXPECT_EQ(two.cache->read(*two.file, memory.at(0), 0, 100).outcome, Outcome::Hit);
  EXPECT_GT(faults, 0);
}

} // namespace
