// SPDX-License-Identifier: Apache-2.0
// The queue, the merging and the limit, with the test in the role of the backend: it takes
// transfers and returns them by hand.
#include "fetch/FetchLane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <deque>

using namespace forerun;
using testing::ElementsAre;

namespace {

constexpr std::size_t kLaneKiB = 1024;

/// Counts wake-ups; the test does the reading.
class BackendByHand final : public Backend {
public:
  const char *name() const override { return "by hand"; }
  bool serves(const FileSource &) const override { return true; }
  forerun_rc start(TransferSource &, unsigned) override { return FORERUN_OK; }
  void stop() override {}
  void wake(unsigned count) override { wakes += count; }
  std::unique_ptr<FetchFile> openFile(const FileSource &, bool) override {
    struct File final : FetchFile {
      void read(Transfer &transfer) override { transfer.advance(kLaneKiB); }
    };
    return std::make_unique<File>();
  }

  unsigned wakes = 0;
};

class FetchEngineLane : public testing::Test {
protected:
  explicit FetchEngineLane(unsigned inFlight = 1)
      : onCompleted_([this](FetchRequest &r) { completed_.push_back(&r); }),
        lane_(backend_, inFlight, onCompleted_) {
    EXPECT_EQ(lane_.start(), FORERUN_OK);
    file_ = lane_.openFile({}, false);
  }

  FetchRequest &add(std::uint64_t offset, std::size_t length, Sequence sequence,
                    FetchKind kind = FetchKind::Prefetch) {
    FetchRequest &request = requests_.emplace_back();
    request.file = file_.get();
    request.offset = offset;
    request.length = length;
    request.sequence = sequence;
    request.kind = kind;
    // One page of memory for each request: nothing adjoins there.
    request.buffer = memory_.data() + requests_.size() * 2 * kPageBytes;
    submit(request);
    return request;
  }

  void submit(FetchRequest &request) {
    FetchRequest *one = &request;
    lane_.queue({&one, 1});
    lane_.flush();
  }

  /// A prefetch that adjoins no other.
  FetchRequest &addAlone(Sequence sequence, FetchKind kind = FetchKind::Prefetch) {
    return add((requests_.size() + 1) * 2 * kPageBytes, kLaneKiB, sequence, kind);
  }

  void finish(Transfer &transfer, ssize_t result) {
    EXPECT_TRUE(transfer.advance(result));
    lane_.finished(transfer);
  }

  /// Takes and finishes one transfer after the other until there are no more.
  std::vector<FetchRequest *> drain() {
    std::vector<FetchRequest *> order;
    while (Transfer *transfer = lane_.take()) {
      std::size_t bytes = 0;
      for (FetchRequest *request : transfer->requests()) {
        order.push_back(request);
        bytes += request->length;
      }
      finish(*transfer, static_cast<ssize_t>(bytes));
    }
    return order;
  }

  static constexpr std::size_t kPageBytes = std::size_t{64} * kLaneKiB;
  std::vector<char> memory_ = std::vector<char>(128 * kPageBytes);
  std::deque<FetchRequest> requests_;
  std::vector<FetchRequest *> completed_;
  Completed onCompleted_;
  BackendByHand backend_;
  FetchLane lane_;
  std::unique_ptr<FetchFile> file_;
};

class FetchEngineWideLane : public FetchEngineLane {
protected:
  FetchEngineWideLane() : FetchEngineLane(32) {}
};

TEST_F(FetchEngineLane, PrefetchesAreIssuedInProgramOrder) {
  auto &third = addAlone(3);
  auto &first = addAlone(1);
  auto &second = addAlone(2);
  EXPECT_THAT(drain(), ElementsAre(&first, &second, &third));
}

TEST_F(FetchEngineLane, UnannouncedRequestsComeLastOfTheirKindInOrderOfArrival) {
  auto &unannounced = addAlone(0);
  auto &later = addAlone(0);
  auto &announced = addAlone(7);
  auto &demand = addAlone(0, FetchKind::Demand);
  EXPECT_THAT(drain(), ElementsAre(&demand, &announced, &unannounced, &later));
}

TEST_F(FetchEngineLane, ARaisedPrefetchIsIssuedNext) {
  auto &first = addAlone(1);
  auto &second = addAlone(2);
  auto &third = addAlone(3);
  lane_.raise(third);
  EXPECT_THAT(drain(), ElementsAre(&third, &first, &second));
  EXPECT_EQ(third.kind, FetchKind::Demand);
}

TEST_F(FetchEngineLane, RaisingAnIssuedOrFinishedRequestDoesNothing) {
  auto &request = addAlone(1);
  Transfer *transfer = lane_.take();
  lane_.raise(request);
  EXPECT_EQ(lane_.take(), nullptr);
  finish(*transfer, kLaneKiB);
  lane_.raise(request);
  EXPECT_EQ(lane_.take(), nullptr);
  EXPECT_EQ(request.kind, FetchKind::Prefetch);
  EXPECT_THAT(completed_, ElementsAre(&request));
}

TEST_F(FetchEngineLane, APrefetchIsTakenBackUntilItIsIssuedOrRaised) {
  auto &first = addAlone(1);
  auto &second = addAlone(2);
  auto &third = addAlone(3);
  EXPECT_TRUE(lane_.takeBack(second));
  EXPECT_FALSE(lane_.takeBack(second));
  lane_.raise(third);
  EXPECT_FALSE(lane_.takeBack(third));
  EXPECT_THAT(drain(), ElementsAre(&third, &first));
  EXPECT_FALSE(lane_.takeBack(first));
}

TEST_F(FetchEngineLane, ADemandFetchIsIssuedAtTheLimit) {
  addAlone(1);
  addAlone(2);
  Transfer *prefetch = lane_.take();
  ASSERT_NE(prefetch, nullptr);
  EXPECT_EQ(lane_.take(), nullptr) << "the limit is one";
  backend_.wakes = 0;
  auto &demand = addAlone(3, FetchKind::Demand);
  EXPECT_EQ(backend_.wakes, 1U);
  Transfer *raised = lane_.take();
  ASSERT_NE(raised, nullptr);
  EXPECT_THAT(raised->requests(), ElementsAre(&demand));
  EXPECT_EQ(lane_.take(), nullptr);
  finish(*prefetch, kLaneKiB);
  finish(*raised, kLaneKiB);
  drain();
}

TEST_F(FetchEngineLane, WhatIsQueuedWakesTheBackendOnceItIsFlushed) {
  FetchRequest request{};
  request.file = file_.get();
  request.length = kLaneKiB;
  request.buffer = memory_.data();
  FetchRequest *one = &request;
  lane_.queue({&one, 1});
  EXPECT_EQ(backend_.wakes, 0U);
  lane_.flush();
  EXPECT_EQ(backend_.wakes, 1U);
  EXPECT_THAT(drain(), ElementsAre(&request));
}

TEST_F(FetchEngineLane, RaisingAtTheLimitWakesTheBackend) {
  addAlone(1);
  auto &waiting = addAlone(2);
  Transfer *transfer = lane_.take();
  backend_.wakes = 0;
  lane_.raise(waiting);
  EXPECT_EQ(backend_.wakes, 1U);
  finish(*transfer, kLaneKiB);
  drain();
}

TEST_F(FetchEngineWideLane, AdjoiningRequestsBecomeOneTransferInTheOrderOfTheFile) {
  auto &middle = add(8 * kLaneKiB, 4 * kLaneKiB, 1);
  auto &after = add(12 * kLaneKiB, 4 * kLaneKiB, 3);
  auto &before = add(4 * kLaneKiB, 4 * kLaneKiB, 9);
  auto &start = add(0, 4 * kLaneKiB, 2);
  auto &apart = add(28 * kLaneKiB, 4 * kLaneKiB, 4);
  Transfer *merged = lane_.take();
  EXPECT_THAT(merged->requests(), ElementsAre(&start, &before, &middle, &after));
  EXPECT_EQ(merged->offset(), 0U);
  ASSERT_EQ(merged->vectors().size(), 4U);
  EXPECT_EQ(merged->vectors()[1].iov_base, before.buffer);
  finish(*merged, 16 * kLaneKiB);
  EXPECT_THAT(completed_, ElementsAre(&start, &before, &middle, &after));
  EXPECT_THAT(drain(), ElementsAre(&apart));
}

TEST_F(FetchEngineWideLane, WhatLiesBetweenNearRequestsIsReadTooAndThrownAway) {
  auto &first = add(0, 4 * kLaneKiB, 1);
  auto &second = add(12 * kLaneKiB, 4 * kLaneKiB, 2); // 8 KiB after the first
  auto &third = add(20 * kLaneKiB, 4 * kLaneKiB, 3);
  Transfer *merged = lane_.take();
  EXPECT_THAT(merged->requests(), ElementsAre(&first, &second, &third));
  const auto vectors = merged->vectors();
  ASSERT_EQ(vectors.size(), 5U);
  EXPECT_EQ(vectors[1].iov_len, 8 * kLaneKiB);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(vectors[1].iov_base) % 4096, 0U) << "for O_DIRECT";
  EXPECT_EQ(vectors[2].iov_base, second.buffer);
  EXPECT_EQ(vectors[3].iov_base, vectors[1].iov_base);
  // The file ends inside the third.
  EXPECT_FALSE(merged->advance(10 * kLaneKiB));
  EXPECT_FALSE(merged->advance(12 * kLaneKiB));
  finish(*merged, 0);
  EXPECT_EQ(first.bytes, 4 * kLaneKiB);
  EXPECT_EQ(second.bytes, 4 * kLaneKiB);
  EXPECT_EQ(third.bytes, 2 * kLaneKiB);
}

TEST_F(FetchEngineWideLane, AnErrorBehindAGapLeavesWhatCameBeforeIt) {
  auto &first = add(0, 4 * kLaneKiB, 1);
  auto &second = add(8 * kLaneKiB, 4 * kLaneKiB, 2);
  Transfer *merged = lane_.take();
  EXPECT_FALSE(merged->advance(6 * kLaneKiB));
  finish(*merged, -EIO);
  EXPECT_EQ(first.rc, FORERUN_OK);
  EXPECT_EQ(second.bytes, 0U);
  EXPECT_EQ(second.rc, FORERUN_ERR_IO);
}

TEST_F(FetchEngineWideLane, RequestsThatAdjoinInMemoryTooShareOneVector) {
  auto &low = add(0, 4 * kLaneKiB, 0);
  FetchRequest high = low;
  high.offset += low.length;
  high.buffer = static_cast<char *>(low.buffer) + low.length;
  submit(high);
  Transfer *transfer = lane_.take();
  EXPECT_EQ(transfer->vectors().size(), 1U);
  finish(*transfer, 8 * kLaneKiB);
  EXPECT_THAT(completed_, ElementsAre(&low, &high));
}

TEST_F(FetchEngineWideLane, OtherKindsAndOtherFilesAreNotMerged) {
  FetchFile other;
  other.lane = &lane_;
  auto &prefetch = add(0, 4 * kLaneKiB, 1);
  auto &demand = add(4 * kLaneKiB, 4 * kLaneKiB, 1, FetchKind::Demand);
  FetchRequest elsewhere = prefetch;
  elsewhere.file = &other;
  elsewhere.offset = 8 * kLaneKiB;
  submit(elsewhere);
  for (FetchRequest *expected : {&demand, &prefetch, &elsewhere}) {
    Transfer *transfer = lane_.take();
    EXPECT_THAT(transfer->requests(), ElementsAre(expected));
    finish(*transfer, 4 * kLaneKiB);
  }
}

TEST_F(FetchEngineWideLane, WhileSlotsAreFreeNothingIsMergedBeyondAPage) {
  auto &first = add(0, 32 * kLaneKiB, 1);
  auto &second = add(32 * kLaneKiB, 32 * kLaneKiB, 2);
  auto &third = add(64 * kLaneKiB, 32 * kLaneKiB, 3);
  Transfer *transfer = lane_.take();
  EXPECT_THAT(transfer->requests(), ElementsAre(&first, &second));
  finish(*transfer, 64 * kLaneKiB);
  EXPECT_THAT(drain(), ElementsAre(&third));
}

TEST_F(FetchEngineLane, ALongQueueIsMergedUpToTheBound) {
  constexpr unsigned kPages = 16;
  for (unsigned i = 0; i < kPages; ++i)
    add(i * kPageBytes, kPageBytes, i + 1);
  Transfer *transfer = lane_.take();
  EXPECT_EQ(transfer->requests().size(), FetchLane::kMaxMergedBytes / kPageBytes);
  finish(*transfer, FetchLane::kMaxMergedBytes);
  EXPECT_EQ(drain().size(), kPages - FetchLane::kMaxMergedBytes / kPageBytes);
}

TEST_F(FetchEngineLane, PartsAreMergedAcrossWideGapsWhereSlotsAreShort) {
  constexpr std::size_t kStride = 60 * kLaneKiB;
  add(0, 4 * kLaneKiB, 1);
  auto &second = add(kStride, 4 * kLaneKiB, 1);
  Transfer *merged = lane_.take();
  ASSERT_EQ(merged->requests().size(), 2U);
  finish(*merged, kStride + 4 * kLaneKiB);
  EXPECT_EQ(second.bytes, 4 * kLaneKiB);
  add(0, 4 * kLaneKiB, 2);
  add(kStride, 4 * kLaneKiB, 3);
  EXPECT_EQ(lane_.take()->requests().size(), 1U);
}

TEST_F(FetchEngineWideLane, WhileSlotsAreFreePartsOfOneCallWithWideGapsGoAlone) {
  add(0, 4 * kLaneKiB, 1);
  add(60 * kLaneKiB, 4 * kLaneKiB, 1);
  EXPECT_EQ(lane_.take()->requests().size(), 1U);
}

TEST_F(FetchEngineWideLane, AReadThatEndsEarlyIsContinuedWhereItStopped) {
  auto &first = add(0, 4 * kLaneKiB, 1);
  auto &second = add(4 * kLaneKiB, 4 * kLaneKiB, 2);
  Transfer *transfer = lane_.take();
  EXPECT_FALSE(transfer->advance(5 * kLaneKiB));
  EXPECT_EQ(transfer->offset(), 5 * kLaneKiB);
  ASSERT_EQ(transfer->vectors().size(), 1U);
  EXPECT_EQ(transfer->vectors()[0].iov_base, static_cast<char *>(second.buffer) + kLaneKiB);
  EXPECT_FALSE(transfer->advance(-EINTR));
  EXPECT_FALSE(transfer->advance(kLaneKiB));
  finish(*transfer, 0);
  EXPECT_EQ(first.bytes, 4 * kLaneKiB);
  EXPECT_EQ(second.bytes, 2 * kLaneKiB);
  EXPECT_EQ(second.rc, FORERUN_OK) << "the end of the file is no error";
}

TEST_F(FetchEngineWideLane, AnErrorSparesTheRequestsReadBeforeIt) {
  auto &first = add(0, 4 * kLaneKiB, 1);
  auto &second = add(4 * kLaneKiB, 4 * kLaneKiB, 2);
  auto &third = add(8 * kLaneKiB, 4 * kLaneKiB, 3);
  Transfer *transfer = lane_.take();
  EXPECT_FALSE(transfer->advance(6 * kLaneKiB));
  finish(*transfer, -EIO);
  EXPECT_EQ(first.rc, FORERUN_OK);
  EXPECT_EQ(second.rc, FORERUN_ERR_IO);
  EXPECT_EQ(third.rc, FORERUN_ERR_IO);
}

TEST_F(FetchEngineLane, StoppingCompletesWhatIsQueuedAsStopped) {
  auto &issued = addAlone(1);
  auto &queued = addAlone(2);
  Transfer *transfer = lane_.take();
  lane_.stop();
  EXPECT_THAT(completed_, ElementsAre(&queued));
  EXPECT_EQ(queued.rc, FORERUN_ERR_STOPPED);
  EXPECT_EQ(lane_.take(), nullptr);
  finish(*transfer, kLaneKiB);
  EXPECT_EQ(issued.rc, FORERUN_OK);
}

TEST_F(FetchEngineWideLane, ARequestTellsHowManyWereUnderWayWhenItWasIssued) {
  auto &first = addAlone(1);
  auto &second = addAlone(2);
  Transfer *one = lane_.take();
  Transfer *other = lane_.take();
  finish(*one, kLaneKiB);
  finish(*other, kLaneKiB);
  auto &third = addAlone(3);
  drain();
  EXPECT_EQ(first.inFlight, 1U);
  EXPECT_EQ(second.inFlight, 2U);
  EXPECT_EQ(third.inFlight, 1U);
}

TEST_F(FetchEngineLane, WhoeverWillWaitReadsPastTheQueueAndWakesNobody) {
  auto &queued = addAlone(1);
  lane_.take();
  addAlone(2);
  backend_.wakes = 0;
  FetchRequest own = queued;
  lane_.submitAndRead(own);
  EXPECT_THAT(completed_, ElementsAre(&own));
  EXPECT_EQ(own.bytes, kLaneKiB);
  EXPECT_EQ(own.inFlight, 2U);
  EXPECT_LE(own.queuedNs, own.finishedNs);
  EXPECT_EQ(backend_.wakes, 0U);
}

TEST_F(FetchEngineLane, TimesOfARequestAscend) {
  auto &request = addAlone(1);
  drain();
  EXPECT_LE(1U, request.queuedNs);
  EXPECT_LE(request.queuedNs, request.issuedNs);
  EXPECT_LE(request.issuedNs, request.finishedNs);
}

} // namespace
