// SPDX-License-Identifier: Apache-2.0
#include "base/Cores.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sched.h>
#include <string>

namespace forerun {
namespace {

constexpr const char *kVariable = "MPI_LOCALNRANKS";

int coresHere() {
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  return CPU_COUNT(&cores);
}

TEST(CoresTest, ThereAreCoresToSpareIfThereAreMoreThanProcesses) {
  setenv(kVariable, std::to_string(coresHere()).c_str(), 1);
  EXPECT_FALSE(areCoresToSpare());
  setenv(kVariable, std::to_string(coresHere() - 1).c_str(), 1);
  EXPECT_EQ(areCoresToSpare(), coresHere() > 1);
  unsetenv(kVariable);
}

TEST(CoresTest, WhereNobodySaysHowManyProcessesThereAreAllCoresAreTaken) {
  unsetenv(kVariable);
  EXPECT_FALSE(areCoresToSpare());
  setenv(kVariable, "some", 1);
  EXPECT_FALSE(areCoresToSpare());
  unsetenv(kVariable);
}

} // namespace
} // namespace forerun
