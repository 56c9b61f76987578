// SPDX-License-Identifier: Apache-2.0
// The simulator: its traces, its yardsticks, and what it shows of our replacement.
#include "LruPolicy.h"
#include "Replay.h"
#include "policy/WindowPolicy.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

using namespace forerun;
using namespace forerun::sim;

namespace {

constexpr std::uint64_t kPageBytes = 4096;

PageTrace parsed(const std::string &text) {
  std::istringstream input(text);
  PageTrace trace;
  std::string error;
  EXPECT_TRUE(parseTrace(input, "trace", kPageBytes, trace, error)) << error;
  return trace;
}

std::string errorOf(const std::string &text) {
  std::istringstream input(text);
  PageTrace trace;
  std::string error;
  EXPECT_FALSE(parseTrace(input, "trace", kPageBytes, trace, error));
  return error;
}

TEST(ATrace, IsReadPageByPageAndFileByFile) {
  const PageTrace trace = parsed("# two files\n0 4096\n\n a 4000 200 # across\n0 1\na 0 0\n");
  EXPECT_EQ(trace.pages, (std::vector<std::uint32_t>{0, 1, 2, 0}));
  EXPECT_EQ(trace.distinctPages, 3U);
  ASSERT_EQ(trace.requests.size(), 4U);
  EXPECT_EQ(trace.requests[1].end - trace.requests[1].begin, 2U);
  EXPECT_EQ(trace.requests[3].end - trace.requests[3].begin, 0U);
}

TEST(ATrace, ThatIsBadGivesOneErrorThatNamesTheLine) {
  EXPECT_EQ(errorOf("0 1\n\n12\n"),
            "trace:3: error: expected 'OFFSET LENGTH' or 'FILE OFFSET LENGTH', found 1 word");
  EXPECT_EQ(errorOf("0 1 2 3\n"),
            "trace:1: error: expected 'OFFSET LENGTH' or 'FILE OFFSET LENGTH', found 4 words");
  EXPECT_EQ(errorOf("-1 5\n"), "trace:1: error: the offset '-1' is not a number of bytes");
  EXPECT_EQ(errorOf("0 5x\n"), "trace:1: error: the length '5x' is not a number of bytes");
  EXPECT_EQ(errorOf("9223372036854775807 2\n"),
            "trace:1: error: the read ends after the last possible offset, 2^63");
  EXPECT_EQ(errorOf("0 1\n0 9223372036854775807\n"),
            "trace:2: error: the trace touches more than 268435456 pages up to here");
  EXPECT_EQ(errorOf("# nothing\n"), "trace: error: there is no read in it");
}

class EveryPattern : public testing::TestWithParam<const char *> {
protected:
  static PageTrace trace() {
    std::stringstream text;
    const Generator generator{.pattern = GetParam(),
                              .requests = 20'000,
                              .requestBytes = 3 * kPageBytes / 2,
                              .fileBytes = 400 * kPageBytes,
                              .seed = 11};
    EXPECT_TRUE(generator.generate(text));
    return parsed(text.str());
  }
  static Hits ours(const PageTrace &trace, std::size_t frames, std::size_t window) {
    WindowPolicy policy(frames);
    return replay(trace, frames, window, policy);
  }
  static Hits lru(const PageTrace &trace, std::size_t frames) {
    LruPolicy policy(frames);
    return replay(trace, frames, 100, policy);
  }
};

TEST_P(EveryPattern, IsKeptWithinOnePercentOfTheOptimumWhereTheWindowCoversTheTrace) {
  const PageTrace trace = EveryPattern::trace();
  for (const std::size_t frames : {1U, 2U, 10U, 50U, 200U, 500U}) {
    const Hits optimum = replayOptimum(trace, frames);
    const Hits hits = ours(trace, frames, trace.requests.size());
    EXPECT_GE(static_cast<double>(hits.pages), 0.99 * static_cast<double>(optimum.pages));
    EXPECT_LE(hits.pages, optimum.pages);
  }
}

TEST_P(EveryPattern, IsKeptAsByLruWhereNothingIsAnnounced) {
  const PageTrace trace = EveryPattern::trace();
  for (const std::size_t frames : {1U, 10U, 200U})
    EXPECT_EQ(ours(trace, frames, 0).pages, lru(trace, frames).pages);
}

TEST_P(EveryPattern, IsKeptNoWorseThanByLruWithAWindowAsLargeAsTheCache) {
  const PageTrace trace = EveryPattern::trace();
  for (const std::size_t frames : {10U, 50U, 200U})
    EXPECT_GE(1.01 * static_cast<double>(ours(trace, frames, frames).pages),
              static_cast<double>(lru(trace, frames).pages));
}

INSTANTIATE_TEST_SUITE_P(Generated, EveryPattern,
                         testing::Values("random", "sequential", "strided", "zipf", "loop"),
                         [](const auto &pattern) { return std::string(pattern.param); });

TEST(TheOptimum, IsWhatTryingEveryVictimFinds) {
  const PageTrace trace = parsed([] {
    std::ostringstream text;
    for (const int page : {0, 1, 2, 3, 0, 1, 4, 0, 2, 3, 1, 4, 2, 0, 3, 1})
      text << page * kPageBytes << " 1\n";
    return text.str();
  }());
  std::map<std::pair<std::size_t, std::set<std::uint32_t>>, std::size_t> known;
  const auto best = [&](const auto &self, std::size_t at,
                        const std::set<std::uint32_t> &kept) -> std::size_t {
    if (at == trace.pages.size())
      return 0;
    if (const auto found = known.find({at, kept}); found != known.end())
      return found->second;
    std::size_t most = 0;
    std::set<std::uint32_t> after = kept;
    if (!after.insert(trace.pages[at]).second) {
      most = 1 + self(self, at + 1, kept);
    } else if (after.size() <= 3) {
      most = self(self, at + 1, after);
    } else {
      for (const std::uint32_t victim : kept) {
        std::set<std::uint32_t> fewer = after;
        fewer.erase(victim);
        most = std::max(most, self(self, at + 1, fewer));
      }
    }
    return known[{at, kept}] = most;
  };
  EXPECT_EQ(replayOptimum(trace, 3).pages, best(best, 0, {}));
}

TEST(AGenerator, KnowsItsPatternsOnly) {
  std::ostringstream text;
  EXPECT_FALSE((Generator{.pattern = "fractal"}.generate(text)));
}

} // namespace
