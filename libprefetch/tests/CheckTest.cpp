// SPDX-License-Identifier: Apache-2.0
#include "report/Check.h"

#include "OnPreThread.h"
#include "forerun/runtime.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <unistd.h>

namespace forerun {
namespace {

/// What \p check writes of the two, without what they have read.
std::string written(const Check &check, const std::string &prefix, const PreThread &thread,
                    const Between &between) {
  check.write(0, &thread, &between.progress, between.forwarding, "");
  const std::string name = prefix + ".0.csv";
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  std::filesystem::remove(name);
  return text.str();
}

TEST(CheckTest, ValuesThatTheThreadNeverAsksForAreSeenAlsoIfTheyAreSentAfterItsEnd) {
  std::string prefix = testing::TempDir() + "forerun-check-XXXXXX";
  const int file = mkstemp(prefix.data());
  ASSERT_GE(file, 0);
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
  const std::string log = written(Check(prefix), prefix, thread, between);
  EXPECT_TRUE(log.starts_with("site,0,5,2\nsite,1,1,1\nprocessor,")) << log;
  EXPECT_TRUE(log.ends_with("\nend,its function has returned\n")) << log;
  std::filesystem::remove(prefix);
  close(file);
}

} // namespace
} // namespace forerun
