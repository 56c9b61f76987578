// SPDX-License-Identifier: Apache-2.0
#include "slice/Handovers.h"
#include "ParseText.h"
#include "report/Summary.h"

#include <gmock/gmock.h>
#include <llvm/ADT/StringExtras.h>

/// \file
/// Programs that open files. A mark on a line says what becomes of it: `// >` in the slice, `// ~`
/// spared.

namespace forerun::slicer::testing {
namespace {

constexpr const char *kHandoversHead =
    "#include <mpi.h>\nstatic MPI_File fh; static double buf[64];\n"
    "static void get(long at) {\n"
    "  MPI_File_read_at(fh, at, buf, 8, MPI_DOUBLE, MPI_STATUS_IGNORE);\n"
    "}\n"
    "#define OPEN MPI_File_open(MPI_COMM_WORLD, \"f\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh)\n";

void expectMarks(const std::string &before, const std::string &body) {
  const std::string text = kHandoversHead + before + "int main(int argc, char **argv) {\n" +
                           "  MPI_Init(&argc, &argv);\n" + body +
                           "  MPI_Finalize();\n  return 0;\n}\n";
  const auto units = parseText({{"a.c", text}});
  ASSERT_TRUE(units.has_value());
  if (!units)
    return;
  Analysis found(*units, Models::builtIn());
  found.take({});
  const auto smaller = handingOver(found, *units, Models::builtIn(), {}, {}, {});
  std::string out;
  llvm::raw_string_ostream stream(out);
  printMarked(smaller ? *smaller : found, *units, stream);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(stream.str()).rtrim('\n').split(lines, '\n');
  for (const llvm::StringRef line : llvm::drop_begin(lines, 6)) {
    const auto [code, mark] = line.split("// ");
    EXPECT_EQ(line.substr(0, 1), mark.empty() ? " " : mark) << line.str();
  }
}

TEST(Handovers, WhatIsComputedBeforeTheFileIsOpenedIsSpared) {
  expectMarks("", R"(
  int rank, first;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); // ~
  first = rank * 7; // ~
  OPEN; // >
  for (int i = 0; i < 9; i++) // >
    get(first + i); // >
)");
}

TEST(Handovers, WhatChangesBehindThatIsComputed) {
  expectMarks("", R"(
  long at = argc; // ~
  OPEN; // >
  at += 5; // >
  get(at); // >
)");
}

TEST(Handovers, WhatDecidesWhetherAFileIsOpenedIsComputed) {
  expectMarks("", R"(
  long at = argc; // >
  if (at > 1) // >
    return 1; // >
  if (OPEN != MPI_SUCCESS) // >
    return 1; // >
  get(at); // >
)");
}

TEST(Handovers, PointersAndHandlesAreNot) {
  expectMarks("", R"(
  static long table[4];
  long *at = &table[argc % 4]; // >
  MPI_Datatype row;
  MPI_Type_contiguous(argc, MPI_DOUBLE, &row); // >
  MPI_Type_commit(&row);
  OPEN; // >
  MPI_File_read_at(fh, *at, buf, 1, row, MPI_STATUS_IGNORE); // >
)");
}

TEST(Handovers, LargeArraysAreNot) {
  expectMarks("static long few[4], many[4096];\n", R"(
  few[1] = argc; // ~
  many[1] = argc; // >
  OPEN; // >
  get(few[1] + many[1]); // >
)");
}

TEST(Handovers, AFunctionThatOpensMayStandForIt) {
  expectMarks("static int opened(void) {\n  return OPEN; // >\n}\n", R"(
  long at = argc; // ~
  if (opened() != MPI_SUCCESS) // >
    return 1; // >
  get(at); // >
)");
}

TEST(Handovers, WhereOpeningIsOnlyAPartOfTheWorkNothingIsHandedOverBehindIt) {
  expectMarks("static int opened(void) {\n"
              "  for (int i = 0; i < 64; i++)\n    buf[i] = i;\n  return OPEN; // >\n}\n",
              R"(
  long at = argc; // >
  opened(); // >
  get(at); // >
)");
}

TEST(Handovers, AnInnerVariableHidesAnOuterOne) {
  expectMarks("", R"(
  long at = argc; // >
  for (int i = 0; i < 2; i++) { // >
    const int at = i;
    OPEN; // >
  }
  get(at); // >
)");
}

} // namespace
} // namespace forerun::slicer::testing
