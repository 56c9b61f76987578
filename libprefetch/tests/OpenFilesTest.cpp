// SPDX-License-Identifier: Apache-2.0
// A write through the MPI-IO and the first announcement of a file meet.
#include "files/OpenFiles.h"
#include "FakeCache.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace forerun {
namespace {

/// A file of one byte, in memory, so that no system call orders what the threads do.
struct Meeting {
  OpenFile open;
  std::atomic<int> byte{0};
  std::atomic<int> arrived{0};
  bool told = false;
  int fetched = 0;

  void meet() {
    arrived.fetch_add(1);
    for (int patience = 1000; arrived.load() < 2; --patience)
      if (patience <= 0)
        std::this_thread::yield();
  }
};

TEST(OpenFiles, EitherAWriteIsToldOrTheFetchBringsIt) {
  FakeCache cache;
  std::vector<Meeting> meetings(200'000);
  std::thread writer([&] {
    for (Meeting &each : meetings) {
      each.meet();
      each.byte.store(1, std::memory_order_relaxed);
      each.told = each.open.mustHearOfWrite();
    }
  });
  for (Meeting &each : meetings) {
    each.meet();
    each.open.serve(cache);
    each.fetched = each.byte.load(std::memory_order_relaxed);
  }
  writer.join();
  int stale = 0;
  for (const Meeting &each : meetings)
    stale += !each.told && each.fetched == 0 ? 1 : 0;
  EXPECT_EQ(stale, 0);
}

/// What others of its pool fetched before the first announcement may be as old as the open.
TEST(OpenFiles, WhatWasWrittenBeforeTheFirstAnnouncementBeginsAnEpoch) {
  FakeCache cache;
  forerun_rc rc = FORERUN_OK;
  CachedFile *const cached = cache.open({"fake", 3, "ufs", nullptr}, rc);
  OpenFile unwritten;
  unwritten.cached = cached;
  unwritten.serve(cache);
  EXPECT_EQ(cache.epochs(), 0U);

  OpenFile written;
  written.cached = cached;
  EXPECT_FALSE(written.mustHearOfWrite());
  written.serve(cache);
  EXPECT_EQ(cache.epochs(), 1U);
  EXPECT_TRUE(written.mustHearOfWrite());
  cache.close(cached, 3);
}

} // namespace
} // namespace forerun
