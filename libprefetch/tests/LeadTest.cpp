// SPDX-License-Identifier: Apache-2.0
#include "courier/Lead.h"

#include <gtest/gtest.h>

namespace forerun {
namespace {

using namespace std::chrono_literals;
using Read = Lead::Read;

class LeadTest : public testing::Test {
protected:
  static constexpr std::chrono::nanoseconds kStorage = 1ms;

  /// A private read that takes as long as the storage, and hides \p hidden from the program.
  void read(Read where, std::chrono::nanoseconds hidden = 0ns) {
    lead.noteHidden(static_cast<std::uint64_t>(hidden.count()));
    lead.note(where, now, now + kStorage);
    now += kStorage;
  }
  /// Reads where the program is, until the thread rests; returns how many.
  unsigned readUntilRest(Read where = Read::Next) {
    unsigned reads = 0;
    for (; !lead.rests(now) && reads < 100; ++reads)
      read(where);
    return reads;
  }
  void endRest() { now = lead.restUntil(); }

  Lead lead;
  Lead::Time now{1h};
};

TEST_F(LeadTest, WhereReadsComeNoSoonerThanTheProgramsTheThreadRests) {
  EXPECT_EQ(readUntilRest(), Lead::kFirstJudged);
  EXPECT_EQ(lead.restUntil() - now, 2 * Lead::kFirstJudged * kStorage);
}

TEST_F(LeadTest, ARestLastsUntilTheNextPrivateReadAfterIt) {
  EXPECT_FALSE(lead.isResting());
  readUntilRest();
  EXPECT_TRUE(lead.isResting());
  endRest();
  EXPECT_TRUE(lead.isResting()) << "nobody has asked";
  EXPECT_FALSE(lead.rests(now));
  EXPECT_FALSE(lead.isResting());
}

TEST_F(LeadTest, RestsDoubleUpToAMaximum) {
  readUntilRest();
  Lead::Duration before = lead.restUntil() - now;
  for (int rests = 0; rests < 20; ++rests) {
    endRest();
    EXPECT_EQ(readUntilRest(), Lead::kJudged);
    const Lead::Duration rest = lead.restUntil() - now;
    EXPECT_EQ(rest, std::min<Lead::Duration>(2 * before, Lead::kMaxRest));
    before = rest;
  }
}

TEST_F(LeadTest, AReadAheadOfTheProgramShowsALead) {
  for (unsigned n = 0; n < 10; ++n) {
    for (unsigned next = 1; next < Lead::kFirstJudged; ++next)
      read(Read::Next);
    read(Read::Ahead);
  }
  EXPECT_FALSE(lead.rests(now));
}

TEST_F(LeadTest, TimeThatIsHiddenShowsALead) {
  for (unsigned n = 0; n < 100; ++n)
    read(Read::Next, kStorage / Lead::kShare * 5 / 4);
  EXPECT_FALSE(lead.rests(now));
}

TEST_F(LeadTest, AMomentThatIsHiddenShowsNone) {
  for (unsigned n = 0; n < Lead::kFirstJudged; ++n)
    read(Read::Next, kStorage / 20);
  EXPECT_TRUE(lead.rests(now));
}

TEST_F(LeadTest, ALateReadShowsNone) { EXPECT_EQ(readUntilRest(Read::Late), Lead::kFirstJudged); }

TEST_F(LeadTest, CatchingUpWithARestIsNotJudged) {
  readUntilRest();
  const Lead::Duration rest = lead.restUntil() - now;
  endRest();
  const Lead::Time end = now + rest;
  while (now + kStorage < end)
    read(Read::Late);
  EXPECT_FALSE(lead.rests(now));
  EXPECT_EQ(readUntilRest(Read::Late), Lead::kJudged) << "it takes too long";
}

TEST_F(LeadTest, DuringARestOneReadGoesOnEachTimeThatTheThreadIsToCatchUp) {
  readUntilRest();
  lead.catchUp();
  EXPECT_FALSE(lead.rests(now));
  read(Read::Late);
  EXPECT_TRUE(lead.rests(now));
  EXPECT_TRUE(lead.isResting());
  const Lead::Time until = lead.restUntil();
  for (unsigned n = 0; n < 2 * Lead::kJudged; ++n) {
    lead.catchUp();
    EXPECT_FALSE(lead.rests(now));
    lead.note(Read::Late, now, now);
  }
  EXPECT_EQ(lead.restUntil(), until) << "such reads are not judged";
}

TEST_F(LeadTest, WhoHasCaughtUpIsJudgedAtOnce) {
  readUntilRest();
  endRest();
  read(Read::Late);
  read(Read::Next);
  EXPECT_EQ(readUntilRest(Read::Late), Lead::kJudged - 1);
}

TEST_F(LeadTest, ALeadEndsTheRestsForAsLongAsAtFirst) {
  for (int rests = 0; rests < 5; ++rests) {
    readUntilRest();
    endRest();
  }
  read(Read::Ahead);
  EXPECT_EQ(readUntilRest(), Lead::kFirstJudged);
  EXPECT_EQ(lead.restUntil() - now, 2 * Lead::kFirstJudged * kStorage);
}

} // namespace
} // namespace forerun
