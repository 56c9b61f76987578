// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

/// \file
/// How much of what a library's call writes is handed over: programs in which one call decides
/// where to read.

namespace forerun::slicer::testing {
namespace {

using Size = Forwarded::Size;

/// The plan of the first call of `function` in a main that has it among its statements.
CallPlan planned(const std::string &function, const std::string &statements,
                 const std::string &before = "") {
  const SlicedProgram program("#include <mpi.h>\n#include <stdlib.h>\n" + before +
                              mainWith("  MPI_File fh; char data[9]; int n = argc, at = 0;\n  " +
                                       std::string(kOpen) + "\n" + statements +
                                       "  MPI_File_read_at(fh, at, data, 9, MPI_BYTE, "
                                       "MPI_STATUS_IGNORE);\n"));
  const CallPlan *plan = program.planOf(function);
  EXPECT_TRUE(plan);
  return plan ? *plan : CallPlan();
}

/// What it hands over, which is one value.
Forwarded output(const std::string &function, const std::string &statements,
                 const std::string &before = "") {
  const CallPlan plan = planned(function, statements, before);
  const auto *receive = plan.as<CallPlan::Receive>();
  const bool isOne = receive && receive->forwarded.size() == 1;
  EXPECT_TRUE(isOne);
  return isOne ? receive->forwarded[0] : Forwarded();
}

TEST(PlanOutput, WhatIsGatheredHasAPartOfEachProcess) {
  const Forwarded all = output("MPI_Allgather", R"(
  int *all = malloc(n * sizeof *all);
  MPI_Allgather(&n, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  at = all[1];
)");
  EXPECT_EQ(all.size, Size::Typed);
  EXPECT_EQ(all.communicator, 6);
  EXPECT_LT(all.root, 0);
}

TEST(PlanOutput, WhatTheRootGathersIsThereOnly) {
  const Forwarded all = output("MPI_Gatherv", R"(
  int all[9], counts[9], places[9];
  MPI_Gatherv(&n, 1, MPI_INT, all, counts, places, MPI_INT, 2, MPI_COMM_WORLD);
  at = all[1];
)");
  EXPECT_EQ(all.size, Size::Spread);
  EXPECT_EQ(all.communicator, 8);
  EXPECT_EQ(all.root, 7);
  EXPECT_EQ(all.rootIn, 8);
}

TEST(PlanOutput, AnArrayIsHandedOverInFullWhateverSaysHowLongItIs) {
  const char *const unknown = "void fill(int *values);\n";
  EXPECT_EQ(output("fill", "int values[9]; fill(values); at = values[3];\n", unknown).size,
            Size::Array);
  EXPECT_EQ(output("fill", "int values[n]; fill(values); at = values[3];\n", unknown).size,
            Size::Array);
  const Forwarded coordinates = output("MPI_Cart_coords", R"(
  int *where = malloc(n * sizeof *where);
  MPI_Cart_coords(MPI_COMM_WORLD, 0, n, where);
  at = where[1];
)");
  EXPECT_EQ(coordinates.size, Size::Counted);
  EXPECT_EQ(coordinates.count, 2);
}

TEST(PlanOutput, ArgumentsThatDoSomethingAreNotEvaluatedTwice) {
  EXPECT_TRUE(planned("MPI_Bcast", R"(
  int values[9], *next = values;
  MPI_Bcast(next++, 1, MPI_INT, 0, MPI_COMM_WORLD);
  at = values[0];
)")
                  .is<CallPlan::Exit>());
}

} // namespace
} // namespace forerun::slicer::testing
