// SPDX-License-Identifier: Apache-2.0
#include "thread/Arena.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace forerun;

namespace {

constexpr std::size_t kArenaBytes = std::size_t{256} << 20;

/// Blocks that should exist, with the bytes they should hold.
class Model {
public:
  explicit Model(std::uint64_t seed) : random_(seed), arena_(kArenaBytes) {}

  void step() {
    switch (random_() % 4) {
    case 0:
    case 1:
      add(arena_.allocate(pickSize()));
      break;
    case 2:
      reallocate();
      break;
    default:
      release();
    }
  }

private:
  struct Block {
    std::size_t bytes;
    unsigned char fill;
  };

  std::size_t pickSize() {
    lastSize_ = random_() % (std::size_t{1} << (random_() % 20));
    return lastSize_;
  }

  void add(void *memory) {
    ASSERT_NE(memory, nullptr);
    auto *bytes = static_cast<unsigned char *>(memory);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % 16, 0u);
    const auto after = blocks_.lower_bound(bytes);
    if (after != blocks_.end()) {
      ASSERT_LE(bytes + lastSize_, after->first) << "overlaps its successor";
    }
    if (after != blocks_.begin()) {
      ASSERT_LE(std::prev(after)->first + std::prev(after)->second.bytes, bytes);
    }
    const auto fill = static_cast<unsigned char>(random_());
    std::fill_n(bytes, lastSize_, fill);
    blocks_[bytes] = {lastSize_, fill};
  }

  auto pick() {
    auto at = blocks_.begin();
    std::advance(at, static_cast<long>(random_() % blocks_.size()));
    return at;
  }

  static void expectFilled(const unsigned char *bytes, std::size_t count, unsigned char fill) {
    ASSERT_EQ(std::count(bytes, bytes + count, fill), static_cast<std::ptrdiff_t>(count));
  }

  void reallocate() {
    if (blocks_.empty())
      return;
    const auto [bytes, block] = *pick();
    blocks_.erase(bytes);
    void *moved = arena_.reallocate(bytes, pickSize() + 1);
    ++lastSize_;
    ASSERT_NE(moved, nullptr);
    expectFilled(static_cast<unsigned char *>(moved), std::min(block.bytes, lastSize_), block.fill);
    add(moved);
  }

  void release() {
    if (blocks_.empty())
      return;
    const auto [bytes, block] = *pick();
    expectFilled(bytes, block.bytes, block.fill);
    blocks_.erase(bytes);
    arena_.release(bytes);
  }

  std::mt19937_64 random_;
  Arena arena_;
  std::map<unsigned char *, Block> blocks_;
  std::size_t lastSize_ = 0;
};

TEST(ArenaTest, BehavesAsItsModelUnderRandomUse) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Model model(seed);
    for (int i = 0; i < 3000 && !testing::Test::HasFatalFailure(); ++i)
      model.step();
  }
}

TEST(ArenaTest, EverySizeFitsItsBlock) {
  Arena arena(kArenaBytes);
  unsigned char *before = nullptr;
  std::size_t had = 0;
  for (std::size_t bytes = 0; bytes < 5000; ++bytes) {
    auto *block = static_cast<unsigned char *>(arena.allocate(bytes));
    ASSERT_GE(block, before + had) << bytes;
    before = block;
    had = bytes;
  }
}

TEST(ArenaTest, FreedBlocksAreUsedAgain) {
  Arena arena(std::size_t{4} << 20);
  for (int i = 0; i < 1000; ++i) {
    void *block = arena.allocate(std::size_t{1} << 20);
    ASSERT_NE(block, nullptr);
    std::memset(block, 1, std::size_t{1} << 20);
    arena.release(block);
  }
}

TEST(ArenaTest, ZeroedMemoryIsZeroAlsoWhenUsedAgain) {
  Arena arena(kArenaBytes);
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 20}) {
    void *block = arena.allocate(bytes);
    std::memset(block, 0xff, bytes);
    arena.release(block);
    const auto *zeroed = static_cast<unsigned char *>(arena.allocateZeroed(bytes / 4, 4));
    EXPECT_EQ(std::count(zeroed, zeroed + bytes, 0), static_cast<std::ptrdiff_t>(bytes));
  }
}

TEST(ArenaTest, RefusesWhatDoesNotFit) {
  Arena arena(std::size_t{1} << 20);
  EXPECT_EQ(arena.allocate(std::size_t{2} << 20), nullptr);
  EXPECT_EQ(arena.allocate(~std::size_t{0}), nullptr);
  EXPECT_EQ(arena.allocateZeroed(std::size_t{1} << 33, std::size_t{1} << 33), nullptr);
  void *block = arena.allocate(1000);
  EXPECT_NE(block, nullptr);
  for (const std::size_t bytes : {~std::size_t{0}, ~std::size_t{10}, std::size_t{2} << 20})
    EXPECT_EQ(arena.reallocate(block, bytes), nullptr);
}

TEST(ArenaTest, GivesNothingOnceItIsGivenBack) {
  Arena arena(kArenaBytes);
  void *block = arena.allocate(10);
  arena.release(arena.allocate(100));
  arena.giveBack();
  EXPECT_EQ(arena.allocate(100), nullptr);
  arena.release(block); // ignored
}

TEST(ArenaTest, BlocksOfTheMainThreadAreCopiedAndNeverTouched) {
  Arena arena(kArenaBytes);
  char *mains = static_cast<char *>(std::malloc(8));
  std::memcpy(mains, "forerun", 8);
  char *copy = static_cast<char *>(arena.reallocate(mains, 100));
  ASSERT_NE(copy, mains);
  EXPECT_STREQ(copy, "forerun");
  arena.release(mains); // ignored
  EXPECT_STREQ(mains, "forerun");
  std::free(mains);
}

std::uint64_t mappedBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  statm >> pages;
  return pages * static_cast<std::uint64_t>(getpagesize());
}

TEST(ArenaTest, TakesAddressesAsItIsUsed) {
  constexpr std::size_t kBlockBytes = std::size_t{10} << 20;
  const std::uint64_t before = mappedBytes();
  Arena arena;
  EXPECT_LT(mappedBytes() - before, std::uint64_t{8} << 20);
  std::vector<unsigned char *> blocks;
  for (int i = 0; i < 30; ++i) {
    blocks.push_back(static_cast<unsigned char *>(arena.allocate(kBlockBytes)));
    ASSERT_NE(blocks.back(), nullptr);
    blocks.back()[0] = blocks.back()[kBlockBytes - 1] = static_cast<unsigned char>(i);
  }
  EXPECT_LT(mappedBytes() - before, 2 * blocks.size() * kBlockBytes);
  const auto all = arena.regionOf(blocks.front(), kBlockBytes);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i][0], i);
    EXPECT_EQ(blocks[i][kBlockBytes - 1], i);
    EXPECT_EQ(arena.regionOf(blocks[i], kBlockBytes).data(), all.data()) << "not one region";
  }
  arena.giveBack();
  EXPECT_LT(mappedBytes() - before, std::uint64_t{8} << 20);
}

TEST(ArenaTest, GrowsElsewhereWhereSomethingIsInItsWay) {
  Arena arena;
  std::vector<unsigned char *> blocks;
  std::vector<std::pair<void *, std::size_t>> obstacles;
  constexpr std::size_t kBlockBytes = std::size_t{300} << 10, kObstacleBytes = 4096;
  for (int i = 0; i < 40; ++i) {
    blocks.push_back(static_cast<unsigned char *>(arena.allocate(kBlockBytes)));
    ASSERT_NE(blocks.back(), nullptr);
    std::memset(blocks.back(), i, kBlockBytes);
    const auto last = arena.lastRegion();
    void *const end = const_cast<std::byte *>(last.data() + last.size());
    void *const made = mmap(end, kObstacleBytes, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (made != MAP_FAILED)
      obstacles.emplace_back(made, kObstacleBytes);
  }
  EXPECT_GT(obstacles.size(), 3U);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(std::count(blocks[i], blocks[i] + kBlockBytes, i), kBlockBytes);
    EXPECT_FALSE(arena.regionOf(blocks[i], kBlockBytes).empty());
    arena.release(blocks[i]);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) // what was freed in any region is used again
    EXPECT_NE(std::ranges::find(blocks, arena.allocate(kBlockBytes)), blocks.end());
  for (const auto &[from, bytes] : obstacles)
    munmap(from, bytes);
}

/// Memory of the system, or addresses that do not exist, are not the arena's own.
TEST(ArenaTest, KnowsWhatIsItsOwn) {
  Arena arena;
  const auto *block = static_cast<std::byte *>(arena.allocate(100));
  const auto all = arena.regionOf(block, 100);
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(arena.regionOf(all.data() - 1, 2).empty());
  EXPECT_TRUE(arena.regionOf(all.data() + all.size() - 1, 2).empty());
  EXPECT_TRUE(arena.regionOf(block, SIZE_MAX).empty());
  EXPECT_TRUE(arena.regionOf(nullptr, 1).empty());
  EXPECT_TRUE(arena.regionOf(&arena, sizeof arena).empty());
}

/// Runs in a process of its own, which may use \p bytes more of addresses than it has.
template <typename Body> void limited(std::uint64_t bytes, Body body) {
  const auto run = [&] {
    const rlimit limit = {mappedBytes() + bytes, mappedBytes() + bytes};
    setrlimit(RLIMIT_AS, &limit);
    _exit(body() ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST(ArenaTest, LeavesTheProgramMostOfALimitThatItSetsLater) {
  Arena arena;
  limited(std::uint64_t{512} << 20, [&] {
    std::size_t blocks = 0;
    while (arena.allocate(std::size_t{1} << 20) != nullptr)
      ++blocks;
    void *rest = std::malloc(std::size_t{400} << 20); // NOLINT: it exits
    return arena.isShort() && blocks > 32 && blocks <= 64 && rest != nullptr;
  });
}

TEST(ArenaTest, GivesNothingWhereThereAreNoAddresses) {
  limited(4096, [] {
    Arena arena;
    return arena.allocate(1) == nullptr && arena.isShort() && arena.lastRegion().empty();
  });
}

} // namespace
