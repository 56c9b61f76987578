// SPDX-License-Identifier: Apache-2.0
#include "emit/Edits.h"
#include <gmock/gmock.h>

namespace forerun::slicer::testing {
namespace {

using ::testing::Eq;
using ::testing::Optional;

TEST(Edits, WhatIsWrappedTwiceIsNestedAsItsStretchesAre) {
  Edits edits;
  edits.wrap(4, 6, "[", "]");
  edits.wrap(2, 8, "(", ")");
  edits.wrap(2, 6, "{", "}");
  EXPECT_THAT(edits.apply("0123456789"), Optional(Eq("01({23[45]}67)89")));
}

TEST(Edits, NeighboursDoNotMix) {
  Edits edits;
  edits.wrap(4, 6, "[", "]");
  edits.wrap(2, 4, "(", ")");
  edits.insert(4, "|");
  EXPECT_THAT(edits.apply("01234567"), Optional(Eq("01(23)|[45]67")));
}

TEST(Edits, EqualEditsCountOnce) {
  Edits edits;
  edits.wrap(1, 2, "(", ")");
  edits.wrap(1, 2, "(", ")");
  edits.replace(3, 4, "x");
  edits.replace(3, 4, "x");
  EXPECT_THAT(edits.apply("01234"), Optional(Eq("0(1)2x4")));
}

TEST(Edits, EditsThatContradictEachOtherFail) {
  Edits twice;
  twice.wrap(1, 3, "(", ")");
  twice.wrap(1, 3, "[", "]");
  EXPECT_EQ(twice.apply("01234"), std::nullopt);
  Edits crossed;
  crossed.wrap(1, 3, "(", ")");
  crossed.wrap(2, 4, "[", "]");
  EXPECT_EQ(crossed.apply("01234"), std::nullopt);
  Edits inside;
  inside.replace(1, 4, "x");
  inside.wrap(2, 3, "(", ")");
  EXPECT_EQ(inside.apply("01234"), std::nullopt);
  Edits beyond;
  beyond.insert(6, "x");
  EXPECT_EQ(beyond.apply("01234"), std::nullopt);
}

} // namespace
} // namespace forerun::slicer::testing
