// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"
#include "slice/forwarding/Forwarding.h"

#include <clang/AST/Stmt.h>

/// \file
/// Early exits that are left out, but forwarded since more is read after them. `// forwarded 0`
/// marks the line of what decides on one, which comes out as 0 where the loop goes on.

namespace forerun::slicer::testing {
namespace {

void expectExits(const std::string &body) {
  const std::string text = programWith(body);
  const SlicedProgram program(text);
  const auto &sources = program.units().at(0).ast->getSourceManager();
  std::map<unsigned, std::string> forwarded;
  if (const auto options = cutExits(program.analysis(), {}))
    for (const auto &[stmt, stays] : options->exits) {
      const char *value = !stays ? "" : *stays ? " 1" : " 0";
      forwarded[sources.getSpellingLineNumber(stmt->getBeginLoc())] =
          std::string("forwarded") + value;
    }
  EXPECT_EQ(forwarded, marksIn(text)) << text;
}

TEST(CutExits, WhatDecidesOnTheExitOfAnInnerLoopIsHandedOver) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(step * 90 + turn);
      if (sumOf() < 0.1) // forwarded 0
        break;
    }
)");
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(step * 90 + turn);
      if (sumOf() > 0.1) // forwarded 1
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
      if (sumOf() < 0.1) // forwarded
        break;
    }
)");
}

TEST(CutExits, TwoExitsOfOneLoopAreHandedOverTogether) {
  expectExits(R"(
  for (long step = 0; step < 90; step++)
    for (long turn = 0; turn < 90; turn++) {
      get(step * 90 + turn);
      if (sumOf() < 0.1) // forwarded 0
        break;
      if (sumOf() > 9) // forwarded 0
        break;
    }
)");
}

TEST(CutExits, OfALoopsConditionTheOperandIsHandedOver) {
  expectExits(R"(
  double last = 1;
  for (long turn = 0; turn < 90 &&
                      last > 0.1; turn++) { // forwarded 1
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

TEST(CutExits, AnExitStaysLeftOutIfItWouldEndAPredictionPerTurn) {
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
