// SPDX-License-Identifier: Apache-2.0
#include "thread/RandomStreams.h"

#include <array>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace forerun;

namespace {

constexpr int kDraws = 1000;

void expectRandomGoesOnAsIn(RandomStreams &streams) {
  for (int i = 0; i < kDraws; ++i)
    ASSERT_EQ(streams.random(), random()) << i;
}

void expect48GoesOnAsIn(RandomStreams &streams) {
  for (int i = 0; i < kDraws; ++i) {
    ASSERT_EQ(streams.drand48(), drand48()) << i;
    ASSERT_EQ(streams.lrand48(), lrand48()) << i;
    ASSERT_EQ(streams.mrand48(), mrand48()) << i;
  }
}

// First in this file: the program has drawn and seeded nothing yet.
TEST(RandomStreamsTest, UntouchedStreamsBeginWhereLibcs) {
  RandomStreams streams;
  expectRandomGoesOnAsIn(streams);
  expect48GoesOnAsIn(streams);
}

TEST(RandomStreamsTest, SeedsGiveLibcsSequences) {
  RandomStreams streams;
  for (const unsigned seed : {0u, 1u, 42u, 4294967295u}) {
    srandom(seed);
    streams.seedRandom(seed);
    expectRandomGoesOnAsIn(streams);
    srand(seed);
    streams.seedRandom(seed);
    for (int i = 0; i < kDraws; ++i)
      ASSERT_EQ(static_cast<int>(streams.random()), rand());
    srand48(static_cast<long>(seed));
    streams.seed48(static_cast<long>(seed));
    expect48GoesOnAsIn(streams);
  }
}

TEST(RandomStreamsTest, BeginInTheMiddleOfTheProgramsStreams) {
  srand(7);
  srand48(7);
  for (int drawn = 0; drawn < 100; ++drawn) {
    RandomStreams streams;
    ASSERT_EQ(streams.random(), rand()) << drawn;
    ASSERT_EQ(streams.drand48(), drand48()) << drawn;
  }
}

TEST(RandomStreamsTest, ContinueWhereTheProgramsStreamsHaveBeenSince) {
  alignas(8) static std::array<char, 64> other;
  char *before = nullptr;
  RandomStreams streams;
  for (unsigned round = 0; round < 5; ++round) {
    if (round == 3)
      before = initstate(round, other.data(), other.size());
    srand(round);
    srand48(static_cast<long>(round));
    for (unsigned drawn = 0; drawn < 7 * round; ++drawn) {
      (void)rand();
      (void)drand48();
      (void)streams.random();
    }
    streams.take(RandomStreams::ofProgram());
    expectRandomGoesOnAsIn(streams);
    expect48GoesOnAsIn(streams);
  }
  setstate(before);
}

TEST(RandomStreamsTest, DrawingMovesNoStreamOfTheProgram) {
  const auto draw = [](bool disturbed) {
    srandom(3);
    srand48(3);
    if (disturbed) {
      RandomStreams streams;
      streams.random();
      streams.drand48();
      streams.seedRandom(9);
      streams.seed48(9);
    }
    return std::pair(random(), drand48());
  };
  EXPECT_EQ(draw(true), draw(false));
}

TEST(RandomStreamsTest, FollowsEveryGeneratorOfInitstate) {
  for (const std::size_t bytes : {8, 32, 64, 128, 256}) {
    SCOPED_TRACE(bytes);
    alignas(8) static std::array<char, 256> state;
    char *before = initstate(5, state.data(), bytes);
    for (int i = 0; i < 17; ++i)
      random();
    RandomStreams streams;
    expectRandomGoesOnAsIn(streams);
    setstate(before);
  }
}

TEST(RandomStreamsTest, FollowsTheParametersOfLcong48) {
  std::array<unsigned short, 7> parameters{1, 2, 3, 0xe66d, 0xdeec, 0x7, 0x4d};
  lcong48(parameters.data());
  RandomStreams streams;
  expect48GoesOnAsIn(streams);
}

} // namespace
