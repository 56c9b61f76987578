// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"
#include "slice/forwarding/Forwarding.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

/// \file
/// Loops that a computed value steers. `// forwarded` marks each line with a statement whose result
/// is forwarded.

namespace forerun::slicer::testing {
namespace {

void expectForwarded(const std::string &body, const std::string &before = "") {
  const std::string text = programWith(body, "static int index_[64];\n" + before);
  const SlicedProgram program(text);
  const auto &sources = program.units().at(0).ast->getSourceManager();
  std::map<unsigned, std::string> forwarded;
  if (const auto options = steering(program.analysis(), {}))
    for (const clang::Stmt *each : options->handed)
      forwarded[sources.getSpellingLineNumber(each->getBeginLoc())] = "forwarded";
  EXPECT_EQ(forwarded, marksIn(text)) << text;
}

TEST(Steering, ALoopsConditionIsForwardedAndNotWhatAllRanksAgreeOn) {
  expectForwarded(R"(
  double residual = 1;
  long step = 0;
  while (residual > 0.1) { // forwarded
    get(step++);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
)");
  expectForwarded(R"(
  double residual = 1;
  for (long step = 0; step < 90; step++) {
    get(step);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (residual > 0.1 && step % 2 == 0) // forwarded
      get(step + 100);
  }
)");
}

TEST(Steering, ANumberThatAllRanksAgreeOnIsForwarded) {
  expectForwarded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    get(at);
    long mine = sumOf() > 3, step;
    MPI_Allreduce(&mine, &step, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    at += step; // forwarded
  }
)");
}

TEST(Steering, TheLastNumberBeforeAReadIsForwarded) {
  expectForwarded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    get(at);
    double mean = sumOf() / 64;
    long step = mean > 3 ? 2 : 1;
    at += step; // forwarded
  }
)");
  expectForwarded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    get(at++);
    if (sumOf() > 3) // forwarded
      at += 2;
  }
)");
}

TEST(Steering, ANumberMayBeAssignedInABranchWithoutBraces) {
  expectForwarded(R"(
  int step = 1;
  for (long at = 0; at < 900; at += step) {
    get(at);
    double mean = sumOf() / 64;
    if (mean > 9) { // forwarded
      get(at + 1000);
      step = 1;
    } else
      step = mean > 3 ? 2 : 1; // forwarded
  }
)");
}

TEST(Steering, OperandsThatWriteAreEvaluated) {
  expectForwarded(R"(
  for (long i = 0; i < 90; i++) {
    long next = i;
    get(i);
    if (sumOf() > 3 && (next = argc) > 0)
      get(next + 100);
  }
)");
}

TEST(Steering, AnIndexIsFetchedAndNotHandedOver) {
  expectForwarded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, at, index_, 64, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 64; k++)
      at += index_[k];
    if (index_[0] > 3)
      get(at);
  }
)");
  expectForwarded(R"(
  for (int i = 0; i < 90; i++) {
    get(i);
    if (buf[0] > 3)
      get(i + 100);
  }
)");
}

TEST(Steering, AnIndexOfDoublesIsFetchedIfTheLoopOnlyFillsTheBuffer) {
  const char *fill = "static void fill(double *to, long from) {\n"
                     "  for (int i = 0; i < 90; i++) to[i] = from * 0.5 + i;\n}\n";
  const auto loop = [](const char *use, const char *mark) {
    return std::string("  long at = 0;\n  for (int i = 0; i < 90; i++) {\n") +
           "    if (argc > 1)\n      fill(buf, at);\n    else\n      get(at);\n    " + use +
           "\n    at = (long)(buf[i % 64] * 900);" + mark + "\n  }\n";
  };
  expectForwarded(loop("", ""), fill);
  expectForwarded(loop("for (int k = 1; k < 64; k++) buf[k] += buf[k - 1];", " // forwarded"),
                  fill);
}

TEST(Steering, HowAConditionOnManyIntegersComesOutIsHandedOver) {
  const std::string pixels = R"(
static unsigned char pixels[4096];
static int bright(void) {
  int n = 0;
  for (int i = 0; i < 4096; i++) n += pixels[i] > 128;
  return n;
}
)";
  expectForwarded(R"(
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, i * 4096, pixels, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    if (bright() > 2000) // forwarded
      get(i);
  }
)",
                  pixels);
  // Most of the computing is for results.
  expectForwarded(R"(
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, i * 4096, pixels, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    if (bright() > 2000)
      get(i);
    for (int k = 0; k < argc; k++)
      buf[k % 64] += sumOf();
  }
)",
                  pixels);
  // The number itself is an address.
  expectForwarded(R"(
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, i * 4096, pixels, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    get(bright());
  }
)",
                  pixels);
}

TEST(Steering, ASearchAndAFewBytesThatAreDecodedAreNotHandedOver) {
  expectForwarded(R"(
  for (int i = 0; i < 90; i++) {
    int k = 0;
    MPI_File_read_at(fh, i * 256, index_, 64, MPI_INT, MPI_STATUS_IGNORE);
    while (k < argc && index_[k] < i)
      k++;
    get(k);
  }
)");
  expectForwarded(R"(
  for (int i = 0; i < 90; i++) {
    int kind = 0;
    MPI_File_read_at(fh, i * 256, index_, 64, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++)
      kind = kind << 8 | index_[k];
    if (kind == 3)
      get(i);
  }
)");
}

TEST(Steering, WhatIsKnownBeforeTheLoopIsNotHandedOver) {
  expectForwarded(R"(
  int steps = 0, mine = argc;
  MPI_Allreduce(&mine, &steps, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < steps; i++)
    get(i);
)");
}

TEST(Steering, AConditionThatDoesSomethingIsEvaluated) {
  expectForwarded(R"(
  double residual = 1;
  long step = 0, left = 90;
  while (left-- > 0 && residual > 0.1) {
    get(step++);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    get(left);
  }
)");
}

TEST(Steering, AMacroMayBeInAConditionButNotMakeTheStatement) {
  expectForwarded(R"(
  double residual = 1;
  long step = 0;
  while (residual > LEAST) { // forwarded
    get(step++);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (BAD) // forwarded
      get(5);
  }
)",
                  "#define LEAST 0.1\n#define BAD (residual > 0.5)\n");
  expectForwarded(R"(
  double residual = 1;
  long step = 0;
  UNTIL(0.1) {
    get(step++);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
)",
                  "#define UNTIL(least) while (residual > (least))\n");
}

TEST(Steering, ATimeThatAdvancesWithEachReadIsHandedOver) {
  expectForwarded(R"(
  double time = 0;
  while (time < 80) {
    get((long)(2 * time));
    double step = 1 / sumOf();
    if (step > 0.5)
      step = 0.5;
    time += step; // forwarded
  }
)");
}

} // namespace
} // namespace forerun::slicer::testing
