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

} // namespace
} // namespace forerun
