// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "SlicedProgram.h"

/// \file
/// Calls through pointers: which functions they may be, and what is done with that.

namespace forerun::slicer::testing {
namespace {

TEST(Slice, APointerThatCanOnlyBeOneFunctionOfALibraryIsThatFunction) {
  expectInMain("  long from = argc; // in\n  long at;\n"
               "  copy(&at, &from, sizeof at); // in\n  get(at); // in\n",
               "static void *(*copy)(void *, const void *, size_t) = memcpy;\n");
}

TEST(Slice, AFunctionOfALibraryThatAPointerMayBeMayChangeWhatItIsGiven) {
  expectInMain("  long from = argc; // in\n  long at = 1; // in\n"
               "  how[argc](&at, &from, sizeof at); // in\n  get(at); // in\n",
               "static void *(*how[])(void *, const void *, size_t) = {memcpy, memmove};\n");
}

TEST(Slice, AReadThroughAPointerIsAReadIfAllThatItMayBeReadAlike) {
  expectInMain("  long at = argc; // in\n"
               "  (argc > 1 ? MPI_File_read_at : MPI_File_read_at_all)(fh, at, buf, 1, MPI_DOUBLE, "
               "MPI_STATUS_IGNORE); // in\n");
}

TEST(Slice, AReadThroughAPointerThatMayBeOneToAWriteIsARead) {
  expectInMain(
      "  At how = argc > 1 ? (At)MPI_File_write_at : MPI_File_read_at; // in\n"
      "  long at = argc; // in\n"
      "  how(fh, at, buf, 1, MPI_DOUBLE, MPI_STATUS_IGNORE); // in\n  use(buf[0]);\n",
      "typedef int (*At)(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);\n");
}

TEST(Slice, WhatAPointerIsKnownNotToPointToIsNoChoice) {
  const SlicedProgram program(
      std::string(kHead) +
      "typedef int (*At)(MPI_File, MPI_Offset, void *, int, MPI_Datatype, "
      "MPI_Status *);\n"
      "static int none(MPI_File f, MPI_Offset o, void *b, int n, MPI_Datatype t, "
      "MPI_Status *s) { return 0; }\n"
      "static struct { At read, write; } calls = {MPI_File_read_at, "
      "(At)MPI_File_write_at};\nint main(int argc, char **argv) {\n"
      "  MPI_Init(&argc, &argv);\n"
      "  MPI_File_open(MPI_COMM_WORLD, \"f\", 2, MPI_INFO_NULL, &fh);\n"
      "  if (argc > 3) calls.read = none;\n"
      "  calls.write(fh, 0, buf, 1, MPI_INT, MPI_STATUS_IGNORE);\n"
      "  calls.read(fh, 0, buf, 1, MPI_INT, MPI_STATUS_IGNORE);\n"
      "  MPI_Finalize();\n}\n");
  std::vector<std::string> choices;
  for (const auto &[call, plan] : program.slice().plans)
    if (const auto *choose = plan.as<CallPlan::Choose>())
      for (const CallPlan::Choice &each : plan.choices)
        choices.push_back(each.function + (choose->orClone ? " or a clone" : ""));
  EXPECT_THAT(choices,
              ::testing::UnorderedElementsAre("MPI_File_write_at", "MPI_File_read_at or a clone"));
}

TEST(Slice, APointerToAReadByAnotherTypeIsNotedAlsoWhereNothingIsInTheSlice) {
  const SlicedProgram program("#include <mpi.h>\nint main(int argc, char **argv) {\n"
                              "  void *how = (void *)MPI_File_read;\n"
                              "  MPI_Init(&argc, &argv);\n"
                              "  ((int (*)(MPI_File))how)(0);\n  MPI_Finalize();\n}\n");
  EXPECT_EQ(program.slice().main, nullptr);
  ASSERT_EQ(program.analysis().notes().size(), 1U);
  EXPECT_EQ(program.analysis().notes()[0].text,
            "not prefetched: the pointer may be one to MPI_File_read, but "
            "has another type");
}

} // namespace
} // namespace forerun::slicer::testing
