// SPDX-License-Identifier: Apache-2.0
// The end of the file: what is known about it, what follows from it, and when it is no longer
// trusted.
#include "CacheFixture.h"

using namespace forerun;

namespace {

/// Two and a half sectors, in the first page.
constexpr std::uint64_t kEnd = 2 * kSector + kSector / 2;

class EndOfFile : public CacheFixture {
protected:
  EndOfFile() { engine->content.resize(kEnd); }

  void append(std::uint64_t offset, std::size_t length) {
    write(offset, length, 1);
    cache->invalidate(*file, offset, length);
  }
};

TEST_F(EndOfFile, AReadAcrossItIsServedShortFromATrustedFetch) {
  bring(0, kPage);
  const ReadResult result = read(100, kPage);
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_EQ(result.bytes, kEnd - 100);
  EXPECT_TRUE(brought(100, kEnd - 100));
  EXPECT_TRUE(covered(0, 5 * kPage));
}

TEST_F(EndOfFile, AReadBehindItIsTheFileSystemsToAnswer) {
  bring(0, kPage);
  EXPECT_EQ(outcomeOf(kEnd + 1, 100), Outcome::Miss);
  EXPECT_EQ(outcomeOf(kEnd, 1), Outcome::Miss);
  EXPECT_EQ(outcomeOf(kEnd - 1, 1), Outcome::Hit);
  EXPECT_FALSE(covered(kEnd, 1));
  EXPECT_TRUE(covered(kEnd - 1, 2));
}

TEST_F(EndOfFile, CountsTheBytesOfTheLastSectorExactly) {
  bring(0, kPage);
  read(kEnd - 1, 1);
  EXPECT_EQ(stats().fetchedBytes, kEnd);
  EXPECT_EQ(stats().usefulBytes, kSector / 2);
  cache->newEpoch(*file, nullptr);
  EXPECT_EQ(stats().uselessBytes, kEnd - kSector / 2);
}

TEST_F(EndOfFile, AWaitingReaderOfTheLastPageIsServedShort) {
  prefetch(0, kPage);
  auto result = readAside(0, 3 * kPage);
  engine->waitForSubmitted(3);
  engine->finish(kPage); // nothing there: the end is known to be no later
  engine->finish(0);
  engine->finish(2 * kPage);
  const ReadResult served = result.get();
  EXPECT_EQ(served.outcome, Outcome::Late);
  EXPECT_EQ(served.bytes, kEnd);
  EXPECT_TRUE(brought(0, kEnd));
}

TEST_F(EndOfFile, AFetchThatBringsNothingBoundsTheEndOnly) {
  bring(2 * kPage, kPage);
  const std::size_t before = engine->submitted();
  prefetch(2 * kPage, kPage, 2);
  EXPECT_EQ(engine->submitted(), before);
  EXPECT_EQ(outcomeOf(kPage, 10), Outcome::Miss);
  EXPECT_EQ(outcomeOf(0, 10), Outcome::Miss);
}

TEST_F(EndOfFile, PrefetchesBehindItFetchNothing) {
  bring(0, kPage);
  const std::size_t before = engine->submitted();
  EXPECT_EQ(prefetch(kPage, 3 * kPage, 2), Announced::Accepted);
  EXPECT_EQ(engine->submitted(), before);
}

TEST_F(EndOfFile, OnASectorBoundaryIsKnownAsWell) {
  engine->content.resize(2 * kSector);
  bring(0, kPage);
  const ReadResult result = read(0, kPage);
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_EQ(result.bytes, 2 * kSector);
}

TEST_F(EndOfFile, OnAPageBoundaryIsKnownOnceTheNextPageWasAskedFor) {
  engine->content.resize(0);
  write(0, kPage);
  bring(0, 2 * kPage);
  const ReadResult result = read(0, 2 * kPage);
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_EQ(result.bytes, kPage);
}

TEST_F(EndOfFile, OfAnEmptyFileIsKnown) {
  engine->content.clear();
  bring(0, 10);
  const std::size_t before = engine->submitted();
  prefetch(0, kPage, 2);
  EXPECT_EQ(engine->submitted(), before);
}

TEST_F(EndOfFile, AWriteBehindItMakesTheLastSectorUntrusted) {
  bring(0, kPage);
  append(5 * kPage, 10);
  EXPECT_FALSE(covered(2 * kSector, 1));
  EXPECT_TRUE(covered(0, 2 * kSector));
  EXPECT_EQ(outcomeOf(kEnd, 10), Outcome::Miss);
  bring(0, 6 * kPage, 2);
  const ReadResult result = read(kEnd, kPage); // a hole now
  EXPECT_EQ(result.bytes, kPage);
  EXPECT_EQ(std::count(buffer.begin(), buffer.end(), 0), static_cast<std::ptrdiff_t>(kPage));
}

TEST_F(EndOfFile, AWriteThatBeginsAtItIsSeen) {
  bring(0, kPage);
  append(kEnd, 100);
  bring(0, kPage, 2);
  const ReadResult result = read(kEnd, kPage);
  EXPECT_EQ(result.bytes, 100U);
  EXPECT_TRUE(brought(kEnd, 100, 1));
}

TEST_F(EndOfFile, AWriteBeforeItLeavesItKnown) {
  bring(0, kPage);
  append(0, 10);
  EXPECT_EQ(read(2 * kSector, kPage).bytes, kEnd - 2 * kSector);
}

TEST_F(EndOfFile, IsNotLearntFromAShortFetchUnderWayWhileTheFileGrew) {
  prefetch(0, kPage);
  engine->readAt(0); // short
  append(3 * kPage, 10);
  engine->deliver(0);
  EXPECT_TRUE(covered(0, 2 * kSector)); // whole sectors, read from the file as it was there
  EXPECT_FALSE(covered(2 * kSector, 1));
  EXPECT_EQ(outcomeOf(kEnd, 10), Outcome::Miss);
  EXPECT_EQ(stats().uselessBytes, kSector / 2);
}

TEST_F(EndOfFile, AReaderWaitingForAShortFetchGetsAMissWhenTheFileGrew) {
  prefetch(0, kPage);
  auto result = readAside(0, kPage);
  engine->waitForRaised(1);
  engine->readAt(0);
  append(3 * kPage, 10);
  engine->deliver(0);
  EXPECT_EQ(result.get().outcome, Outcome::Miss);
}

TEST_F(EndOfFile, IsForgottenInANewEpoch) {
  bring(0, kPage);
  write(kEnd, kPage);
  cache->newEpoch(*file, nullptr);
  EXPECT_EQ(outcomeOf(kEnd, 10), Outcome::Miss);
  bring(0, 2 * kPage, 2);
  EXPECT_EQ(read(kEnd, kPage).bytes, kPage);
}

TEST_F(EndOfFile, AFetchThatReachesFartherShowsThatItHasMoved) {
  prefetch(0, 2 * kPage);
  engine->readAt(0);
  write(kEnd, 2 * kPage); // by somebody else
  engine->readAt(kPage);
  engine->deliver(0);
  EXPECT_EQ(read(kEnd - 10, 20).bytes, 10U);
  engine->deliver(kPage);
  EXPECT_EQ(outcomeOf(kEnd - 10, 20), Outcome::Miss);
  EXPECT_EQ(outcomeOf(kPage, kPage), Outcome::Hit);
}

TEST_F(EndOfFile, AFillThatReachesFartherShowsThatItHasMoved) {
  bring(0, kPage);
  write(0, 2 * kPage);
  fill(kPage, kPage);
  EXPECT_FALSE(covered(2 * kSector, 1));
  EXPECT_EQ(outcomeOf(kPage, kPage), Outcome::Hit);
}

TEST_F(EndOfFile, AFillThatCameShortMakesItKnown) {
  fill(0, kEnd, true);
  const ReadResult result = read(10, kPage);
  EXPECT_EQ(result.outcome, Outcome::Hit);
  EXPECT_EQ(result.bytes, kEnd - 10);
  EXPECT_TRUE(brought(10, kEnd - 10));
}

TEST_F(EndOfFile, AFillOfNothingAtTheEndBoundsIt) {
  fill(kPage + 5, 0, true);
  const std::size_t before = engine->submitted();
  prefetch(kPage + 5, 10, 2);
  EXPECT_EQ(engine->submitted(), before);
  prefetch(kPage, 10, 3);
  EXPECT_EQ(engine->submitted(), before + 1);
}

TEST_F(EndOfFile, IsNotKnownWhileANonBlockingWriteMayMoveIt) {
  cache->setVolatile(*file, this, 5 * kPage, 10);
  bring(0, kPage);
  EXPECT_TRUE(covered(0, 2 * kSector));
  EXPECT_EQ(outcomeOf(kEnd, 10), Outcome::Miss);
}

} // namespace
