// SPDX-License-Identifier: Apache-2.0
#include "thread/Arena.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
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

} // namespace
