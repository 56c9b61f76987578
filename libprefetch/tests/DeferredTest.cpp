// SPDX-License-Identifier: Apache-2.0
#include "channels/Deferred.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

using namespace forerun;

namespace {

/// Requests that represent MPI's, with buffers of one letter.
class DeferredTest : public testing::Test {
protected:
  static MPI_Request request(int number) { return static_cast<MPI_Request>(0x1000 + number); }

  void start(int site, int number) {
    deferred_.start(site, request(number),
                    {reinterpret_cast<const std::byte *>(&buffers_.at(number)), 1, number});
  }

  /// A call that is given these requests and completes some of them.
  void complete(const std::vector<int> &given, const std::vector<int> &done) {
    std::vector<MPI_Request> requests;
    for (const int each : given)
      requests.push_back(request(each));
    deferred_.completing(static_cast<int>(requests.size()), requests.data());
    for (MPI_Request &each : requests)
      for (const int number : done)
        if (each == request(number))
          each = MPI_REQUEST_NULL;
    deferred_.completed(requests.data(), [this](int site, const Forwarding::Value &value) {
      sent_ +=
          std::to_string(site) + static_cast<char>(*value.data) + std::to_string(value.shift) + " ";
    });
  }

  std::string sent() { return std::exchange(sent_, ""); }

  Deferred deferred_;
  std::array<char, 8> buffers_{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
  std::string sent_;
};

TEST_F(DeferredTest, WhatACallBringsIsSentWhenItsRequestHasCompleted) {
  start(5, 0);
  complete({1}, {1});
  EXPECT_EQ(sent(), "");
  complete({0}, {});
  EXPECT_EQ(sent(), "");
  buffers_[0] = 'A';
  complete({0}, {0});
  EXPECT_EQ(sent(), "5A0 ");
  complete({0}, {0});
  EXPECT_EQ(sent(), "");
}

TEST_F(DeferredTest, AtOneSiteValuesAreSentInTheOrderOfTheCallsThatBringThem) {
  for (int i = 0; i < 3; ++i)
    start(7, i);
  start(8, 3);
  complete({0, 1, 2, 3}, {2, 3});
  EXPECT_EQ(sent(), "8d3 ");
  complete({0, 1}, {1});
  EXPECT_EQ(sent(), "");
  complete({0}, {0});
  EXPECT_EQ(sent(), "7a0 7b1 7c2 ");
}

TEST_F(DeferredTest, WhatHasComeIsKeptAsItCame) {
  start(7, 0);
  start(7, 1);
  complete({1}, {1});
  buffers_[1] = 'x';
  complete({0}, {0});
  EXPECT_EQ(sent(), "7a0 7b1 ");
}

TEST_F(DeferredTest, CallsThatShareARequestAreCompletedOneByOne) {
  start(1, 0);
  start(1, 0);
  complete({0}, {0});
  EXPECT_EQ(sent(), "1a0 ");
  complete({0}, {0});
  EXPECT_EQ(sent(), "1a0 ");
}

} // namespace
