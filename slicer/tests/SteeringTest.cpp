// SPDX-License-Identifier: Apache-2.0
#include "slice/Steering.h"
#include "ParseText.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <gtest/gtest.h>
#include <llvm/ADT/SmallVector.h>
#include <set>

/// \file
/// Loops that a computed value steers. `// !` marks each line with a statement whose result the
/// main thread hands over.

namespace forerun::slicer::testing {
namespace {

constexpr const char *kSteeredHead =
    "#include <mpi.h>\n"
    "static MPI_File fh; static double buf[64]; static int index_[64];\n"
    "static void get(long at) {\n"
    "  MPI_File_read_at(fh, at, buf, 64, MPI_DOUBLE, "
    "MPI_STATUS_IGNORE);\n}\n"
    "static double sumOf(void) {\n  double s = 0;\n"
    "  for (int i = 0; i < 64; i++) s += buf[i];\n  return s;\n}\n";

void expectHanded(const std::string &body, const std::string &before = "") {
  const std::string text =
      kSteeredHead + before + "int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n" +
      "  MPI_File_open(MPI_COMM_WORLD, \"f\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);\n" + body +
      "  MPI_Finalize();\n  return 0;\n}\n";
  const auto units = parseText({{"a.c", text}});
  ASSERT_TRUE(units.has_value());
  if (!units)
    return;
  Analysis found(*units, Models::builtIn());
  found.take({});
  const clang::SourceManager &sources = (*units)[0].ast->getSourceManager();
  std::set<unsigned> handed, expected;
  if (const auto options = steering(found, {}))
    for (const clang::Stmt *each : options->handed)
      handed.insert(sources.getSpellingLineNumber(each->getBeginLoc()));
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (unsigned n = 0; n < lines.size(); ++n)
    if (lines[n].ends_with("// !"))
      expected.insert(n + 1);
  EXPECT_EQ(handed, expected) << text;
}

TEST(Steering, HowALoopsConditionComesOutIsHandedOverAndNotWhatAllRanksAgreeOn) {
  expectHanded(R"(
  double residual = 1;
  long step = 0;
  while (residual > 0.1) { // !
    get(step++);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
)");
  expectHanded(R"(
  double residual = 1;
  for (long step = 0; step < 90; step++) {
    get(step);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (residual > 0.1 && step % 2 == 0) // !
      get(step + 100);
  }
)");
}

TEST(Steering, ANumberThatAllRanksAgreeOnIsHandedOverInPlaceOfWhatTheyCompute) {
  expectHanded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    get(at);
    long mine = sumOf() > 3, step;
    MPI_Allreduce(&mine, &step, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    at += step; // !
  }
)");
}

TEST(Steering, TheLastNumberBeforeAReadIsHandedOverInPlaceOfComputingWithWhatWasRead) {
  expectHanded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    get(at);
    double mean = sumOf() / 64;
    long step = mean > 3 ? 2 : 1;
    at += step; // !
  }
)");
  expectHanded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    get(at++);
    if (sumOf() > 3) // !
      at += 2;
  }
)");
}

TEST(Steering, ANumberMayBeAssignedInABranchWithoutBraces) {
  expectHanded(R"(
  int step = 1;
  for (long at = 0; at < 900; at += step) {
    get(at);
    double mean = sumOf() / 64;
    if (mean > 9) { // !
      get(at + 1000);
      step = 1;
    } else
      step = mean > 3 ? 2 : 1; // !
  }
)");
}

TEST(Steering, OperandsThatWriteAreEvaluated) {
  expectHanded(R"(
  for (long i = 0; i < 90; i++) {
    long next = i;
    get(i);
    if (sumOf() > 3 && (next = argc) > 0)
      get(next + 100);
  }
)");
}

TEST(Steering, AnIndexIsFetchedAndNotHandedOver) {
  expectHanded(R"(
  long at = 0;
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, at, index_, 64, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 64; k++)
      at += index_[k];
    if (index_[0] > 3)
      get(at);
  }
)");
  expectHanded(R"(
  for (int i = 0; i < 90; i++) {
    get(i);
    if (buf[0] > 3)
      get(i + 100);
  }
)");
}

TEST(Steering, WhereALoopOnlyFillsTheBufferAnIndexOfDoublesIsFetchedAndNotHandedOver) {
  const char *fill = "static void fill(double *to, long from) {\n"
                     "  for (int i = 0; i < 90; i++) to[i] = from * 0.5 + i;\n}\n";
  const auto loop = [](const char *use, const char *mark) {
    return std::string("  long at = 0;\n  for (int i = 0; i < 90; i++) {\n") +
           "    if (argc > 1)\n      fill(buf, at);\n    else\n      get(at);\n    " + use +
           "\n    at = (long)(buf[i % 64] * 900);" + mark + "\n  }\n";
  };
  expectHanded(loop("", ""), fill);
  expectHanded(loop("for (int k = 1; k < 64; k++) buf[k] += buf[k - 1];", " // !"), fill);
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
  expectHanded(R"(
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, i * 4096, pixels, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    if (bright() > 2000) // !
      get(i);
  }
)",
               pixels);
  // Most of the computing is for results.
  expectHanded(R"(
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
  expectHanded(R"(
  for (int i = 0; i < 90; i++) {
    MPI_File_read_at(fh, i * 4096, pixels, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    get(bright());
  }
)",
               pixels);
}

TEST(Steering, ASearchAndAFewBytesThatAreDecodedAreNotHandedOver) {
  expectHanded(R"(
  for (int i = 0; i < 90; i++) {
    int k = 0;
    MPI_File_read_at(fh, i * 256, index_, 64, MPI_INT, MPI_STATUS_IGNORE);
    while (k < argc && index_[k] < i)
      k++;
    get(k);
  }
)");
  expectHanded(R"(
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
  expectHanded(R"(
  int steps = 0, mine = argc;
  MPI_Allreduce(&mine, &steps, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < steps; i++)
    get(i);
)");
}

TEST(Steering, AConditionThatDoesSomethingIsEvaluated) {
  expectHanded(R"(
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

TEST(Steering, MacrosInAConditionAreNoHindranceButOnesThatMakeTheStatementAre) {
  expectHanded(R"(
  double residual = 1;
  long step = 0;
  while (residual > LEAST) { // !
    get(step++);
    double mine = sumOf();
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (BAD) // !
      get(5);
  }
)",
               "#define LEAST 0.1\n#define BAD (residual > 0.5)\n");
  expectHanded(R"(
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
  expectHanded(R"(
  double time = 0;
  while (time < 80) {
    get((long)(2 * time));
    double step = 1 / sumOf();
    if (step > 0.5)
      step = 0.5;
    time += step; // !
  }
)");
}

} // namespace
} // namespace forerun::slicer::testing
