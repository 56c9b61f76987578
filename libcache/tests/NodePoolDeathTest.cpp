// SPDX-License-Identifier: Apache-2.0
#include "NodePoolFixture.h"

#include "base/Geometry.h"
#include "forerun/Clock.h"
#include "pool/Claim.h"

#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/// \file
/// Members that are processes of their own, and are killed.

namespace forerun {
namespace {

constexpr NodePool::Shape kShape{2, 4, kSectorBytes};
constexpr Sectors kAll = 1;
constexpr char kByte = 'x';

const PageKey kHosted = PoolOfThree::page(8); ///< the survivor has a frame for it

/// As a guest of the survivor.
void fetchAsGuest(NodePool &pool) {
  const NodePool::Taken taken = pool.beGuest({kHosted, kAll, 0});
  pool.frame(taken.slot)[0] = std::byte{kByte};
  (void)pool.endGuest(taken.slot, taken.sectors, kAll);
}

/// What a member does with a page, from the claim to the end. Nothing here makes a system call,
/// unless somebody waits.
void useAPage(NodePool &pool, const PageKey &key) {
  Slot slot = 0;
  {
    const Claim claim(pool, key);
    slot = pool.take().value_or(0);
    pool.publish(slot, key, 100);
    pool.state(slot).coming.fetch_or(kAll);
  }
  pool.frame(slot)[0] = std::byte{kByte};
  pool.state(slot).open.store(kAll);
  pool.state(slot).coming.store(0);
  pool.tellWaiters(slot);
  char byte = 0;
  pool.read(slot, {key, kAll, 0}, 0, &byte, 1);
  pool.state(slot).open.store(0);
  pool.withdraw(slot);
  pool.give(slot);
}

/// A process that has joined the pool of \p creator and stops before it uses a page of it.
pid_t startMember(const NodePool &pool, const PageKey &key) {
  const pid_t creator = getpid();
  const int fd = pool.fd();
  const pid_t child = fork();
  if (child != 0)
    return child;
  const std::unique_ptr<NodePool> own = NodePool::join(creator, fd, kShape, 1);
  if (own == nullptr || ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
    _exit(2);
  raise(SIGSTOP);
  useAPage(*own, key);
  fetchAsGuest(*own);
  _exit(0);
}

/// The pool as it is now, in memory of its own, as the only survivor sees it: member 0. So one
/// process can, in effect, be killed after each of its instructions.
std::unique_ptr<NodePool> copyOf(const NodePool &pool) {
  const auto from = SharedMemory::attach(getpid(), pool.fd());
  const auto to = SharedMemory::create(from->bytes());
  std::memcpy(to->base(), from->base(), from->bytes());
  return NodePool::join(getpid(), to->fd(), kShape, 0);
}

/// What the survivor finds: it never hangs, the bytes that it gets are right, and at most one frame
/// is lost.
void checkWhatIsLeft(NodePool &pool, const PageKey &key) {
  EXPECT_FALSE(pool.isAlive(1));
  for (const PageKey &each : {key, kHosted}) {
    const NodePool::Wanted wanted{each, kAll, 0};
    NodePool::Found found = pool.find(wanted);
    if (found.coming != 0 && !pool.await(found.slot, wanted))
      found = {};
    char byte = 0;
    if (found.open != 0 && pool.read(found.slot, wanted, 0, &byte, 1)) {
      EXPECT_EQ(byte, kByte);
    }
  }
  const std::uint64_t before = nowNs();
  {
    const Claim claim(pool, key);
  }
  EXPECT_LT(nowNs() - before, 10'000'000'000U);
  std::size_t taken = 0;
  while (pool.take())
    ++taken;
  // Its floor is not available to others; one frame may be lost, and spare frames may count as its
  // own.
  EXPECT_GE(taken, kShape.frames() - 4); // the survivor has one already
}

TEST(NodePoolDeathTest, AMemberMayDieAfterAnyInstruction) {
  const std::unique_ptr<NodePool> pool = NodePool::create(kShape);
  const PageKey key = PoolOfThree::page(7);
  pool->publish(pool->take().value_or(0), kHosted, 100);
  const pid_t child = startMember(*pool, key);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status))
    GTEST_SKIP() << "SKIPPED: no process may be traced here (ptrace)";
  long instructions = 0;
  for (; WIFSTOPPED(status) && !testing::Test::HasFailure(); ++instructions) {
    checkWhatIsLeft(*copyOf(*pool), key);
    ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  kill(child, SIGKILL); // unless it has reached its end
  waitpid(child, &status, 0);
  EXPECT_GT(instructions, 100) << "it has done all of it at once";
}

TEST(NodePoolDeathTest, WhoWaitsForAMemberThatIsKilledTakesOver) {
  const std::unique_ptr<NodePool> pool = NodePool::create(kShape);
  const pid_t creator = getpid();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::unique_ptr<NodePool> own = NodePool::join(creator, pool->fd(), kShape, 1);
    const Slot slot = own->take().value_or(0);
    own->publish(slot, PoolOfThree::page(7), 100);
    own->state(slot).coming.store(kAll);
    for (;;)
      pause(); // it never comes
  }
  const NodePool::Wanted wanted{PoolOfThree::page(7), kAll, 0};
  for (int ms = 0; pool->find(wanted).coming == 0 && ms < 60'000; ++ms)
    usleep(1000);
  EXPECT_EQ(pool->find(wanted).coming, kAll);
  kill(child, SIGKILL);
  EXPECT_FALSE(pool->await(pool->find(wanted).slot, wanted));
  waitpid(child, nullptr, 0);
}

TEST(NodePoolDeathTest, OtherProcessesJoinItOnlyAsWhatItIs) {
  const std::unique_ptr<NodePool> pool = NodePool::create(kShape);
  NodePool::Shape other = kShape;
  other.framesEach *= 2;
  EXPECT_EQ(NodePool::join(getpid(), pool->fd(), other, 1), nullptr);
  EXPECT_EQ(NodePool::join(getpid(), pool->fd(), kShape, 2), nullptr);
  EXPECT_EQ(NodePool::join(getpid(), -1, kShape, 1), nullptr);
  EXPECT_EQ(NodePool::join(getpid(), STDERR_FILENO, kShape, 1), nullptr);
  const auto joined = NodePool::join(getpid(), pool->fd(), kShape, 1);
  EXPECT_NE(joined, nullptr);
  EXPECT_EQ(NodePool::join(getpid(), pool->fd(), kShape, 1), nullptr) << "there is one";
}

} // namespace
} // namespace forerun
