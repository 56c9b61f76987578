// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"
#include "slice/forwarding/Forwarding.h"

/// \file
/// Programs that open files. Lines marked `// in` are in the slice, and those marked `// spared`
/// are spared.

namespace forerun::slicer::testing {
namespace {

constexpr const char *kOpenMacro =
    "#define OPEN MPI_File_open(MPI_COMM_WORLD, \"f\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh)\n";

void expectMarks(const std::string &before, const std::string &body) {
  const std::string text = kHead + (kOpenMacro + before) + mainWith(body);
  const SlicedProgram program(text);
  const auto smaller =
      handingOver(program.analysis(), program.units(), Models::builtIn(), {}, {}, {});
  std::map<unsigned, std::string> found;
  for (const auto &[number, line] :
       markedLines(smaller ? *smaller : program.analysis(), program.units()))
    if (number > kHeadLines && line.sign != ' ')
      found[number] = line.sign == '>' ? "in" : "spared";
  EXPECT_EQ(found, marksIn(text)) << text;
}

TEST(Handovers, WhatIsComputedBeforeTheFileIsOpenedIsSpared) {
  expectMarks("", R"(
  int rank, first;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // spared
  first = rank * 7; // spared
  OPEN; // in
  for (int i = 0; i < 9; i++) // in
    get(first + i); // in
)");
}

TEST(Handovers, WhatChangesBehindThatIsComputed) {
  expectMarks("", R"(
  long at = argc; // spared
  OPEN; // in
  at += 5; // in
  get(at); // in
)");
}

TEST(Handovers, WhatDecidesWhetherAFileIsOpenedIsComputed) {
  expectMarks("", R"(
  long at = argc; // in
  if (at > 1) // in
    return 1; // in
  if (OPEN != MPI_SUCCESS) // in
    return 1; // in
  get(at); // in
)");
}

TEST(Handovers, PointersAndHandlesAreNot) {
  expectMarks("", R"(
  static long table[4];
  long *at = &table[argc % 4]; // in
  MPI_Datatype row;
  MPI_Type_contiguous(argc, MPI_DOUBLE, &row); // in
  MPI_Type_commit(&row);
  OPEN; // in
  MPI_File_read_at(fh, *at, buf, 1, row, MPI_STATUS_IGNORE); // in
)");
}

TEST(Handovers, LargeArraysAreNot) {
  expectMarks("static long few[4], many[4096];\n", R"(
  few[1] = argc; // spared
  many[1] = argc; // in
  OPEN; // in
  get(few[1] + many[1]); // in
)");
}

TEST(Handovers, AFunctionThatOpensMayStandForIt) {
  expectMarks("static int opened(void) {\n  return OPEN; // in\n}\n", R"(
  long at = argc; // spared
  if (opened() != MPI_SUCCESS) // in
    return 1; // in
  get(at); // in
)");
}

TEST(Handovers, WhereOpeningIsOnlyAPartOfTheWorkNothingIsHandedOverBehindIt) {
  expectMarks("static int opened(void) {\n"
              "  for (int i = 0; i < 64; i++)\n    buf[i] = i;\n  return OPEN; // in\n}\n",
              R"(
  long at = argc; // in
  opened(); // in
  get(at); // in
)");
}

TEST(Handovers, AnInnerVariableHidesAnOuterOne) {
  expectMarks("", R"(
  long at = argc; // in
  for (int i = 0; i < 2; i++) { // in
    const int at = i;
    OPEN; // in
  }
  get(at); // in
)");
}

} // namespace
} // namespace forerun::slicer::testing
