// SPDX-License-Identifier: Apache-2.0
#include "report/Check.h"

#include "OnPreThread.h"
#include "forerun/runtime.h"
#include "measure/SiteReads.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <unistd.h>

namespace forerun {
namespace {

/// What is written of the two, without what they have read.
std::string written(const PreThread &thread, const Between &between) {
  std::string prefix = testing::TempDir() + "forerun-check-XXXXXX";
  const int file = mkstemp(prefix.data());
  EXPECT_GE(file, 0);
  Check(prefix).write(0, &thread, &between.progress, between.forwarding, "");
  const std::string name = prefix + ".0.csv";
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  std::filesystem::remove(name);
  std::filesystem::remove(prefix);
  close(file);
  return text.str();
}

TEST(CheckTest, ValuesThatNobodyAsksForAreSeenAfterTheThreadsEnd) {
  Between between(2);
  between.forwarding.begin(2, true);
  const auto send = [&](int site) {
    const std::array<std::byte, sizeof(int)> value{};
    between.forwarding.send(site, {value.data(), value.size(), 0});
  };
  PreThread thread({[](void *) {
                      int value = 0;
                      for (const int site : {0, 1, 0})
                        forerun_pre_receive(site, &value, sizeof value);
                    },
                    nullptr, 0},
                   Options(), between);
  ASSERT_TRUE(thread.start());
  for (const int site : {0, 1, 0})
    send(site);
  while (!thread.ended())
    std::this_thread::yield();
  for (int n = 0; n < 3; ++n)
    send(0);
  thread.stop();
  const std::string log = written(thread, between);
  EXPECT_TRUE(log.starts_with("site,0,5,2\nsite,1,1,1\nprocessor,")) << log;
  EXPECT_TRUE(log.ends_with("\nend,its function has returned\n")) << log;
}

TEST(CheckTest, WhereTheThreadWaitsIsAPlaceInTheProgramsText) {
  static constexpr int kSite = 6, kRounds = 50;
  static const forerun_main_place kPlace{kSite, 12, "a, b.c", "MPI_Bcast"};
  static forerun_main_places places{&kPlace, 1, nullptr};
  SiteReads::know(places);
  Between between(kSite + 1);
  between.forwarding.begin(kSite + 1, true);
  PreThread thread({[](void *) {
                      int value = 0;
                      for (int round = 0; round < kRounds; ++round)
                        forerun_pre_receive(kSite, &value, sizeof value);
                    },
                    nullptr, 0},
                   Options(), between);
  ASSERT_TRUE(thread.start());
  for (int round = 0; round < kRounds; ++round) { // it waits for some of them, at least
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    const std::array<std::byte, sizeof(int)> value{};
    between.forwarding.send(kSite, {value.data(), value.size(), 0});
  }
  while (!thread.ended())
    std::this_thread::yield();
  thread.stop();
  EXPECT_THAT(written(thread, between),
              testing::ContainsRegex("\ndelay,6,[0-9]+,[0-9]+,[0-9]+\n"
                                     "place,6,12,\"a, b.c\",MPI_Bcast\n"));
}

} // namespace
} // namespace forerun
