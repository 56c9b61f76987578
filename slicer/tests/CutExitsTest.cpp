// SPDX-License-Identifier: Apache-2.0
#include "slice/CutExits.h"
#include "ParseText.h"

#include <clang/AST/Stmt.h>
#include <gtest/gtest.h>
#include <llvm/ADT/SmallVector.h>
#include <map>

/// \file
/// Early exits that are left out, but handed over since more is read after them. `// !0` marks the
/// line of what decides on one, which comes out as 0 where the loop goes on.

namespace forerun::slicer::testing {
namespace {

constexpr const char *kCutHead =
    "#include <mpi.h>\n#include <stdlib.h>\n"
    "static MPI_File fh; static double buf[64];\n"
    "static void get(long at) {\n"
    "  MPI_File_read_at(fh, at, buf, 64, MPI_DOUBLE, MPI_STATUS_IGNORE);\n}\n"
    "static double sumOf(void) {\n  double s = 0;\n"
    "  for (int i = 0; i < 64; i++) s += buf[i];\n  return s;\n}\n";

void expectExits(const std::string &body) {
  const std::string text =
      kCutHead + std::string("int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n") +
      "  MPI_File_open(MPI_COMM_WORLD, \"f\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);\n" + body +
      "  MPI_Finalize();\n  return 0;\n}\n";
  const auto units = parseText({{"a.c", text}});
  if (!units)
    FAIL() << "the program does not parse";
  Analysis found(*units, Models::builtIn());
  found.take({});
  const clang::SourceManager &sources = (*units)[0].ast->getSourceManager();
  std::map<unsigned, std::optional<bool>> handed, expected;
  if (const auto options = cutExits(found, {}))
    for (const auto &[stmt, stays] : options->exits)
      handed[sources.getSpellingLineNumber(stmt->getBeginLoc())] = stays;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (unsigned n = 0; n < lines.size(); ++n)
    if (lines[n].ends_with("// !"))
      expected[n + 1] = std::nullopt;
  for (unsigned n = 0; n < lines.size(); ++n)
    for (const bool stays : {false, true})
      if (lines[n].ends_with(stays ? "// !1" : "// !0"))
        expected[n + 1] = stays;
  EXPECT_EQ(handed, expected) << text;
}

TEST(CutExits, WhatDecidesOnTheExitOfAnInnerLoopIsHandedOver) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(step * 90 + turn);
      if (sumOf() < 0.1) // !0
        break;
    }
)");
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(step * 90 + turn);
      if (sumOf() > 0.1) // !1
        buf[0] = 3;
      else
        break;
    }
)");
}

TEST(CutExits, WhereItIsTheOnlyEndOfItsLoopItIsNeverTakenForGranted) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0;; turn++) {
      get(step * 90 + turn);
      if (sumOf() < 0.1) // !
        break;
    }
)");
}

TEST(CutExits, TwoExitsOfOneLoopAreHandedOverTogether) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(step * 90 + turn);
      if (sumOf() < 0.1) // !0
        break;
      if (sumOf() > 9) // !0
        break;
    }
)");
}

TEST(CutExits, OfALoopsConditionTheOperandIsHandedOver) {
  expectExits(R"(
  double last = 1;
  for (long turn = 0; turn < 90 &&
                      last > 0.1; turn++) { // !1
    get(turn);
    last = sumOf();
  }
  for (long turn = 0; turn < 90; turn++)
    get(turn * 2);
)");
}

TEST(CutExits, AfterTheLastLoopNothingGoesWrong) {
  expectExits(R"(
  for (long turn = 0; turn < 90; turn++) {
    get(turn);
    if (sumOf() < 0.1)
      break;
  }
  buf[1] = 3;
)");
}

TEST(CutExits, WhereAPredictionWouldHaveToEndInEachTurnTheExitStaysLeftOut) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(rand() % 90);
      if (sumOf() < 0.1)
        break;
    }
)");
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      long at;
      MPI_File_read_at(fh, turn, &at, 1, MPI_LONG, MPI_STATUS_IGNORE);
      get(at);
      if (sumOf() < 0.1)
        break;
    }
)");
}

TEST(CutExits, AConditionThatReadsItselfIsNotHandedOver) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++)
      if ((get(turn), sumOf() < 0.1))
        break;
)");
}

} // namespace
} // namespace forerun::slicer::testing
