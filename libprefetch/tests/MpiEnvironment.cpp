// SPDX-License-Identifier: Apache-2.0
// Linked into a test program: MPI is up while its tests run.

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

class MpiEnvironment : public testing::Environment {
public:
  void SetUp() override {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  }
  void TearDown() override { MPI_Finalize(); }
};

// GoogleTest owns it.
[[maybe_unused]] testing::Environment *const kEnvironment =
    testing::AddGlobalTestEnvironment(new MpiEnvironment);

} // namespace
