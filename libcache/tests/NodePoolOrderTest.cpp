// SPDX-License-Identifier: Apache-2.0
#include "NodePoolFixture.h"

#include "base/Geometry.h"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

/// \file
/// What ThreadSanitizer can see of the order of a frame's uses in one process, when part of that
/// order is the work of another one. It has nothing to find in other builds.

namespace forerun {
namespace {

constexpr NodePool::Shape kTwoFrames{2, 1, kSectorBytes};
constexpr Sectors kFirstSector = 1;
const PageKey kWandering = PoolOfThree::page(7);

/// One word from one process to another. ThreadSanitizer takes it for an order of threads only if
/// both ends are used in one process.
class PipeSignal {
public:
  PipeSignal() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~PipeSignal() {
    close(ends_[0]);
    close(ends_[1]);
  }
  PipeSignal(const PipeSignal &) = delete;
  PipeSignal &operator=(const PipeSignal &) = delete;

  bool give() const { return write(ends_[1], "!", 1) == 1; }
  bool await() const {
    char word = 0;
    return read(ends_[0], &word, 1) == 1;
  }

private:
  std::array<int, 2> ends_{};
};

/// Shows a page in a frame, and gives the frame back when it has been read.
int beHolder(pid_t creator, int fd, const PipeSignal &isRead, const PipeSignal &isFree) {
  const std::unique_ptr<NodePool> own = NodePool::join(creator, fd, kTwoFrames, 1);
  if (own == nullptr)
    return 2;
  const Slot slot = PoolOfThree::show(*own, kWandering, 100, kFirstSector, 'x');
  if (!isRead.await())
    return 3;
  own->state(slot).open = 0;
  own->withdraw(slot);
  if (own->state(slot).pins != 0)
    return 4;
  own->give(slot);
  return isFree.give() ? 0 : 5;
}

TEST(NodePoolOrderTest, AFrameThatComesFromAnotherProcessIsUsedAfterTheReadsOfIt) {
  const std::unique_ptr<NodePool> pool = NodePool::create(kTwoFrames);
  const PipeSignal isRead;
  const PipeSignal isFree;
  const pid_t creator = getpid();
  const pid_t child = fork();
  if (child == 0)
    _exit(beHolder(creator, pool->fd(), isRead, isFree));
  std::optional<Slot> taken;
  std::thread courier([&] {
    if (isFree.await())
      taken = pool->take();
    if (taken)
      *pool->frame(*taken) =
          std::byte{'y'}; // a plain store, which the compiler shows to the sanitizer
  });
  const NodePool::Wanted wanted{kWandering, kFirstSector, 0};
  std::array<char, kSectorBytes> bytes{};
  NodePool::Found found;
  while ((found = pool->find(wanted)).open == 0)
    std::this_thread::yield();
  EXPECT_TRUE(pool->read(found.slot, wanted, 0, bytes.data(), bytes.size()));
  EXPECT_TRUE(isRead.give());
  courier.join();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(taken, std::optional<Slot>(found.slot)); // or nothing has been tried
  EXPECT_EQ(bytes.back(), 'x');
}

} // namespace
} // namespace forerun
