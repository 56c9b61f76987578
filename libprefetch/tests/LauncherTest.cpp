// SPDX-License-Identifier: Apache-2.0
#include "mpi/Launcher.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace forerun {
namespace {

/// The environment as a launcher of another kind leaves it: all that any of them sets is gone.
class LauncherTest : public ::testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID",
                             "MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"})
      unsetenv(name);
  }
};

TEST_F(LauncherTest, WithoutALauncherThereIsOneProcess) {
  EXPECT_TRUE(forerun_is_first_process());
  EXPECT_EQ(forerun_processes_on_node(), 0);
}

TEST_F(LauncherTest, EachLauncherSaysWhichProcessThisIs) {
  for (const char *name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    setenv(name, "0", 1);
    EXPECT_TRUE(forerun_is_first_process()) << name;
    setenv(name, "10", 1);
    EXPECT_FALSE(forerun_is_first_process()) << name;
    unsetenv(name);
  }
}

TEST_F(LauncherTest, TheLauncherOfTheMpiCountsInsideTheOneOfTheBatchSystem) {
  setenv("SLURM_PROCID", "0", 1); // of all that this task of Slurm's starts
  setenv("PMI_RANK", "3", 1);
  EXPECT_FALSE(forerun_is_first_process());
}

TEST_F(LauncherTest, EachLauncherSaysHowManyProcessesAreOnTheNode) {
  for (const char *name : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"}) {
    setenv(name, "12", 1);
    EXPECT_EQ(forerun_processes_on_node(), 12) << name;
    setenv(name, "some", 1);
    EXPECT_EQ(forerun_processes_on_node(), 0) << name;
    unsetenv(name);
  }
}

} // namespace
} // namespace forerun
