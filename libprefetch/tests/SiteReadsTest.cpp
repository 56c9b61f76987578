// SPDX-License-Identifier: Apache-2.0
#include "measure/SiteReads.h"

#include <gmock/gmock.h>
#include <thread>

namespace forerun {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const forerun_main_place kPlaces[] = {{1, 10, "a.c", "MPI_File_read"},
                                      {2, 20, "a.c", "MPI_File_open"},
                                      {3, 30, "a.c", "H5Dread"},
                                      {4, 40, "a.c", "MPI_File_read_at"}};

class SiteReadsTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    static forerun_main_places places{kPlaces, 4, nullptr};
    SiteReads::know(places);
  }
  void TearDown() override { SiteReads().pass(0); } // takes what is left of this thread's

  /// A call of MPI-IO that makes that many reads.
  void call(std::uint64_t count) {
    reads_.callBegins();
    ReadFigures figures;
    figures.reads[0] = count;
    reads_.add(figures);
  }
  /// Lines and numbers of reads.
  std::vector<std::pair<int, std::uint64_t>> figures() const {
    std::vector<std::pair<int, std::uint64_t>> result;
    for (const auto &[place, figures] : reads_.figures())
      result.emplace_back(place.line, figures.allReads());
    return result;
  }

  SiteReads reads_;
};

TEST_F(SiteReadsTest, AReadIsThatOfTheCallThatReturnsNext) {
  call(2);
  reads_.pass(1);
  call(3);
  reads_.pass(4);
  call(4);
  reads_.pass(1);
  EXPECT_THAT(figures(), ElementsAre(std::pair(10, 6U), std::pair(40, 3U)));
}

TEST_F(SiteReadsTest, AReadWithoutASiteIsNotThatOfTheNextReadOrOpen) {
  call(2);
  call(3);
  reads_.pass(1);
  call(4);
  reads_.pass(2);
  EXPECT_THAT(figures(), ElementsAre(std::pair(10, 3U)));
}

TEST_F(SiteReadsTest, ALibrarysCallHasAllReadsThatTheLibraryMakes) {
  call(2);
  call(3);
  reads_.pass(3);
  EXPECT_THAT(figures(), ElementsAre(std::pair(30, 5U)));
}

TEST_F(SiteReadsTest, ThreadsReadEachForItself) {
  call(2);
  std::thread([&] {
    call(5);
    reads_.pass(4);
  }).join();
  reads_.pass(1);
  EXPECT_THAT(figures(), ElementsAre(std::pair(10, 2U), std::pair(40, 5U)));
}

TEST_F(SiteReadsTest, ACallThatReadsNothingIsNotCounted) {
  reads_.pass(1);
  EXPECT_THAT(figures(), IsEmpty());
}

} // namespace
} // namespace forerun
