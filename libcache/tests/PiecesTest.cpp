// SPDX-License-Identifier: Apache-2.0
// The small parts: arithmetic of pages and sectors, sets, queues, codes.
#include "base/Geometry.h"
#include "base/IntervalSet.h"
#include "base/OwnDescriptor.h"
#include "fetch/StorageCost.h"
#include "forerun/Rc.h"
#include "forerun/Size.h"
#include "pages/SectorSet.h"
#include "policy/UseQueue.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <unistd.h>

using namespace forerun;

namespace {

TEST(Size, HasASuffixOfEitherCaseAndNothingAfterIt) {
  EXPECT_EQ(parseSize("0"), 0U);
  EXPECT_EQ(parseSize("4096"), 4096U);
  EXPECT_EQ(parseSize("64K"), 64U << 10);
  EXPECT_EQ(parseSize("32m"), 32U << 20);
  EXPECT_EQ(parseSize("17179869183G"), std::uint64_t{17179869183} << 30);
  for (const char *wrong : {"", "K", "-1", "1T", "64KB", "1.5M", " 1", "17179869184G"})
    EXPECT_EQ(parseSize(wrong), std::nullopt) << wrong;
}

TEST(AloneCost, IsWhatRequestsTakeThatHaveTheStorageToThemselves) {
  AloneCost cost;
  cost.took(40'000, 8);
  EXPECT_EQ(cost.without(40'000), 40'000U) << "nothing is known yet";
  cost.took(5'000, 1);
  cost.took(7'000, 2);
  EXPECT_EQ(cost.without(40'000), 6'000U);
  EXPECT_EQ(cost.without(4'000), 4'000U);
}

/// The length of the kernel's table of this process's descriptors.
long tableLength() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "FDSize:" && status >> word)
      return std::stol(word);
  return 0;
}

TEST(OwnDescriptors, FindTheKernelsTableLongEnough) {
  const long before = tableLength();
  const int own = moveAboveTheProgram(open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_LT(own, before) << "no thread has had to wait for a longer table";
  EXPECT_EQ(tableLength(), before);
  EXPECT_EQ(close(own), 0);
}

TEST(AByteRange, IsCutAtTheLastPossibleOffset) {
  EXPECT_EQ(ByteRange::of(10, 5).end, 15U);
  EXPECT_EQ(ByteRange::of(10, ~std::uint64_t{0}).end, kOffsetLimit);
  EXPECT_TRUE(ByteRange::of(~std::uint64_t{0}, 5).empty());
  EXPECT_TRUE(ByteRange::of(10, 0).empty());
}

TEST(Sectors, OfAPageAreThoseThatARangeTouchesOrFills) {
  const Geometry geometry(16384);
  const ByteRange range{4000, 20000};
  EXPECT_EQ(geometry.touched(range, 0).first, 0U);
  EXPECT_EQ(geometry.touched(range, 0).last, 4U);
  EXPECT_EQ(geometry.touched(range, 1).last, 1U);
  EXPECT_TRUE(geometry.touched(range, 2).empty());
  EXPECT_EQ(geometry.inside(range, 0).first, 1U);
  EXPECT_EQ(geometry.inside(range, 0).last, 4U);
  EXPECT_TRUE(geometry.inside(range, 1).empty());
  EXPECT_TRUE(geometry.inside({100, 200}, 0).empty());
}

class ASectorSet : public testing::TestWithParam<unsigned> {};

TEST_P(ASectorSet, DoesWhatAnArrayOfFlagsWouldDo) {
  const unsigned sectors = GetParam();
  SectorSet set(sectors);
  std::vector<bool> model(sectors);
  std::mt19937 random(sectors);
  for (int step = 0; step < 2000; ++step) {
    SectorRange range{static_cast<unsigned>(random() % sectors), 0};
    range.last = range.first + static_cast<unsigned>(random() % (sectors - range.first + 1));
    const auto begin = model.begin() + range.first;
    const auto end = model.begin() + range.last;
    ASSERT_EQ(set.hasAll(range), std::find(begin, end, false) == end);
    ASSERT_EQ(set.hasAny(range), std::find(begin, end, true) != end);
    const bool value = random() % 2 == 0;
    value ? set.add(range) : set.remove(range);
    std::fill(begin, end, value);
    ASSERT_EQ(set.empty(), std::find(model.begin(), model.end(), true) == model.end());
    for (unsigned sector = 0; sector < sectors; ++sector)
      ASSERT_EQ(set.has(sector), model[sector]);
  }
}

INSTANTIATE_TEST_SUITE_P(OfPages, ASectorSet, testing::Values(1, 16, 63, 64, 65, 256));

TEST(AnIntervalSet, DoesWhatAnArrayOfFlagsWouldDo) {
  IntervalSet set;
  std::vector<bool> model(200);
  std::mt19937 random(1);
  for (int step = 0; step < 5000; ++step) {
    const std::uint64_t begin = random() % 200;
    const ByteRange range{begin, begin + random() % (201 - begin)};
    const auto first = model.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto last = model.begin() + static_cast<std::ptrdiff_t>(range.end);
    ASSERT_EQ(set.overlaps(range), std::find(first, last, true) != last);
    ASSERT_EQ(set.reachesBeyond(begin), std::find(first, model.end(), true) != model.end());
    if (step % 40 == 0) {
      set.clear();
      model.assign(model.size(), false);
    } else if (range.length() < 12) {
      set.add(range);
      std::fill(first, last, true);
    }
  }
}

TEST(AUseQueue, GivesUsesInRisingOrderEachOnce) {
  UseQueue uses;
  for (const Sequence use : {5U, 9U, 7U, 5U})
    uses.add(use);
  EXPECT_EQ(uses.first(), 5U);
  uses.popUpTo(5);
  EXPECT_EQ(uses.first(), 7U);
  uses.add(6);
  EXPECT_EQ(uses.first(), 6U);
  uses.popUpTo(8);
  EXPECT_EQ(uses.first(), 9U);
  uses.popUpTo(9);
  EXPECT_EQ(uses.first(), 0U);
}

TEST(AReturnCode, HasANameAndAText) {
  EXPECT_STREQ(forerun_rc_name(FORERUN_ERR_IO), "FORERUN_ERR_IO");
  EXPECT_STREQ(forerun_rc_text(FORERUN_OK), "success");
}

} // namespace
