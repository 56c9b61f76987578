// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "SlicedProgram.h"

/// \file
/// Functions with a second, lean clone: from the program's text to that of the clones.

namespace forerun::slicer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The clones of a program: this, and a main with this body.
std::string clonesOf(const std::string &before, const std::string &body) {
  const std::string text = SlicedProgram(programWith(body, before)).text();
  EXPECT_TRUE(compiles({{"a.c", text}})) << text;
  return text.substr(text.find("/* ---- The pre-execution thread"));
}

constexpr const char *kSum = R"(
static double sum(long at, double *to) {
  double all = 0;
  MPI_File_read_at(fh, at, to, 64, MPI_DOUBLE, MPI_STATUS_IGNORE);
  for (int i = 0; i < 64; i++)
    all += to[i];
  return all;
}
)";

TEST(LeanClones, WhatOnlySomeCallsNeedIsNotComputedForTheOthers) {
  const std::string text = clonesOf(kSum, R"(
  double head[64], values[64], total = 0;
  long n = (long)sum(0, head);
  for (long i = 0; i < n; i++)
    total += sum(i, values);
  use(total);
)");
  EXPECT_THAT(text, HasSubstr("static double sum__pre_lean(long at, double *to) {\n"
                              "  forerun_pre_read_at(0, fh__pre, at, 64, MPI_DOUBLE);\n"
                              "}\n"));
  EXPECT_THAT(text, HasSubstr("long n = (long)sum__pre(0, head);\n"));
  EXPECT_THAT(text, HasSubstr("    sum__pre_lean(i, 0);\n"));
}

TEST(LeanClones, ACallOfTheFullCloneNeedsNothingOfCallsWithOtherArguments) {
  const std::string text = clonesOf(kSum, R"(
  double first[64], values[64], last[64], total = 0;
  for (long i = 0; i < 9; i++)
    total += sum(i, values);
  get((long)sum(10, first));
  for (long i = 0; i < 9; i++)
    total += sum(i, last);
  use(total);
)");
  EXPECT_THAT(text, Not(HasSubstr("sum__pre(i")));
}

TEST(LeanClones, NorOfCallsWithOtherMemoryOfTheHeap) {
  const std::string text = clonesOf(kSum, R"(
  double *first = malloc(512), *values = malloc(512), total = 0;
  for (long i = 0; i < 9; i++)
    total += sum(i, values);
  get((long)sum(10, first));
  use(total);
)");
  EXPECT_THAT(text, Not(HasSubstr("sum__pre(i")));
  EXPECT_THAT(text, HasSubstr("sum__pre(10"));
}

TEST(LeanClones, ALeanCloneCallsLeanClones) {
  const std::string text = clonesOf(std::string(kSum) + R"(
static double both(long at, double *to) {
  double one = sum(at, to);
  return one + sum(at + 1, to);
}
)",
                                    R"(
  double head[64], values[64];
  get((long)both(0, head));
  use(both(1, values));
)");
  EXPECT_THAT(text, HasSubstr("static double both__pre_lean(long at, double *to) {\n"
                              "  sum__pre_lean(at, 0);\n"
                              "  sum__pre_lean(at + 1, 0);\n"));
  EXPECT_THAT(text, HasSubstr("  double one = sum__pre(at, to);\n"));
}

TEST(LeanClones, ARecursionIsLean) {
  const std::string text = clonesOf(R"(
static long walk(long at, double *sum) {
  if (at > 64)
    return 0;
  get(at);
  *sum += buf[0];
  return 1 + walk(2 * at, sum) + walk(2 * at + 1, sum);
}
)",
                                    R"(
  double sum = 0;
  long nodes = walk(1, &sum);
  get(nodes);
  walk(3, &sum);
  use(sum);
)");
  EXPECT_THAT(text, HasSubstr("  walk__pre_lean(3, 0);\n"));
  EXPECT_THAT(text, HasSubstr("  walk__pre_lean(2 * at, 0);\n"));
  EXPECT_THAT(text, HasSubstr("  return 1 + walk__pre(2 * at, 0)"));
}

TEST(LeanClones, WhatIsHandedOverAndNotNeededIsSkipped) {
  const std::string text = clonesOf(R"(
static long next(long at) {
  long from = 0;
  get(at);
  if (scanf("%ld", &from) != 1)
    from = at;
  return from;
}
)",
                                    R"(
  get(next(1));
  for (long i = 0; i < 9; i++)
    next(i);
)");
  EXPECT_THAT(text, HasSubstr("static long next__pre_lean(long at) {\n"
                              "  get__pre(at);\n"
                              "  (forerun_pre_skip(1, 2), (int)0);\n"));
  EXPECT_THAT(text, HasSubstr("next__pre_lean(i)"));
}

TEST(LeanClones, WhatIsHandedOverIsTakenAsAWholeOrNotAtAll) {
  const std::string text = clonesOf(R"(
static long next(long at, double *weight) {
  long from = 0, size = 0;
  get(at);
  scanf("%ld %ld", &from, &size);
  get(from);
  return size;
}
)",
                                    R"(
  double weight;
  get(next(1, &weight));
  for (long i = 0; i < 9; i++)
    next(i, &weight);
)");
  const std::string lean = text.substr(text.rfind("next__pre_lean(long at"));
  EXPECT_THAT(lean, HasSubstr("forerun_pre_receive(1, &from, "));
  EXPECT_THAT(lean, HasSubstr("forerun_pre_receive(1, &size, "));
}

TEST(LeanClones, ACollectiveCallIsCountedWhereItIsNotNeeded) {
  const std::string text = clonesOf(R"(
static long common(long at) {
  long all = 0;
  get(at);
  MPI_Allreduce(&at, &all, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return all;
}
)",
                                    R"(
  long at = 1;
  for (long i = 0; i < 9; i++)
    at = common(at);
  for (long i = 0; i < 9; i++)
    common(i);
)");
  EXPECT_THAT(text, HasSubstr("forerun_pre_MPI_Allreduce(1, 1, "));
  EXPECT_THAT(text, HasSubstr("static long common__pre_lean(long at) {\n"
                              "  get__pre(at);\n"
                              "  (forerun_pre_skip_collective(1, 1, MPI_COMM_WORLD), (int)0);\n"));
}

TEST(LeanClones, AFunctionWithAStaticVariableHasNone) {
  const std::string text = clonesOf(R"(
static long counted(long at) {
  static long calls;
  get(at + calls++);
  return (long)buf[0];
}
)",
                                    R"(
  get(counted(1));
  counted(2);
)");
  EXPECT_THAT(text, Not(HasSubstr("_lean")));
}

TEST(LeanClones, AFunctionThatAPointerMayCallHasNone) {
  const std::string text =
      clonesOf(std::string(kSum) + "double (*way)(long, double *) = sum;\n", R"(
  double head[64], values[64];
  get((long)sum(0, head));
  use(way(1, values));
)");
  EXPECT_THAT(text, Not(HasSubstr("_lean")));
}

TEST(LeanClones, AnEarlyExitIsInBoth) {
  const std::string text = clonesOf(R"(
static double until(long n, double *to) {
  double all = 0;
  for (long i = 0;; i++) {
    if (i * i > n)
      break;
    get(i);
    all += buf[0];
  }
  to[0] = all;
  return all;
}
)",
                                    R"(
  double one, two;
  get((long)until(9, &one));
  until(16, &two);
  use(one + two);
)");
  const std::string lean = text.substr(text.rfind("until__pre_lean(long n"));
  EXPECT_THAT(lean, HasSubstr("if (i * i > n)\n      break;\n    get__pre_lean(i);\n"));
  EXPECT_THAT(lean.substr(0, lean.find("\n}\n")), Not(HasSubstr("all")));
}

} // namespace
} // namespace forerun::slicer::testing
