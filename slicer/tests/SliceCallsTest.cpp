// SPDX-License-Identifier: Apache-2.0
#include "EmitTesting.h"
#include "SlicedProgram.h"

/// \file
/// Calls that lead to reads, in statements that compute something else: only the call is in.

namespace forerun::slicer::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char *kLoad = R"(
static double load(long at) {
  double r = 0;
  get(at); // in
  for (int i = 0; i < 8; i++)
    r += buf[i];
  return r;
}
static double next(long at) { return load(at + 8); } // in
)";

TEST(SliceCalls, OfAReturnThatEndsTheFunctionEarlyTheValueIsNotNeeded) {
  expectInMain(R"(
  double all = choose(argc); // in
  use(all);
)",
               std::string(kLoad) + R"(
static double choose(int which) {
  double factor = buf[1];
  if (which == 2) // in
    return load(1) * factor; // in
  switch (which) { // in
  case 3:
    return next(2); // in
  default:
    break;
  }
  return load(3) + factor; // in
}
)");
}

TEST(SliceCalls, WhatACallThroughAPointerGivesIsNotNeeded) {
  expectInMain(R"(
  double all = 0;
  const struct way *w = &ways[argc % 2]; // in
  all += w->go(3) * buf[2]; // in
  use(all);
)",
               std::string(kLoad) + R"(
static const struct way { double (*go)(long); } ways[] = {{load}, {next}};
)");
}

TEST(SliceCalls, WhatDecidesWhetherACallIsMadeIsInAndNotWhatTheStatementComputes) {
  expectInMain(R"(
  double all = 0, other = 1;
  int kind = argc % 4, isOn = argc > 2, isOdd = argc % 2; // in
  for (int i = 0; i < 4; i++) { // in
    all += kind == i ? load(i) : isOn ? next(i) : other; // in
    other = isOn && (isOdd || next(i) > 0) ? all : 2; // in
    all += isOdd ? other : 1;
  }
  use(all);
)",
               kLoad);
}

TEST(SliceCalls, AStatementWhoseConditionChangesSomethingIsInAsAWhole) {
  expectInMain(R"(
  double all = 0; // in
  int left = 3;   // in
  all += left-- > 0 ? load(1) : 0; // in
  get(left); // in
  use(all);
)",
               R"(
static double load(long at) {
  double r = 0; // in
  get(at); // in
  for (int i = 0; i < 8; i++) // in
    r += buf[i]; // in
  return r; // in
}
)");
}

TEST(SliceCalls, WhatIsInsteadOfNothingIsInWithItsStatement) {
  expectInMain(R"(
  long at = argc, sum = 0; // in
  sum += at++ ?: look(3); // in
  sum += look(5) ?: look(7); // in
  get(at); // in
)",
               "static long look(long at) { get(at); return at * 2; } // in\n");
}

TEST(SliceCalls, AConditionThatNoCallNeedsIsInWithItsStatement) {
  expectInMain(R"(
  int have = argc > 2; // in
  long n = have ? ({ long t = look(3); t + 1; }) : 0; // in
  long k = have ? (long)sizeof(look(1)) : 0; // in
  get(n + k); // in
)",
               "static long look(long at) { return at * 2; } // in\n");
}

TEST(SliceCalls, AWriteInWhatGivesTheFunctionIsInWithTheCall) {
  expectInMain(R"(
  int step = 0; // in
  for (int s = 0; s < 5; s++) { // in
    kernels[step++ % 2](buf); // in
    get(step * 8); // in
  }
)",
               R"(
static void one(double *grid) { grid[0] += 1; }
static void two(double *grid) { grid[0] += 2; }
static void (*const kernels[])(double *) = {one, two};
)");
}

TEST(SliceCalls, TheyAreWrittenWithWhatDecidesAboutThem) {
  const SlicedProgram program(std::string(kHead) + R"(
static double load(long at) {
  get(at);
  return buf[0];
}
static double choose(int which, long at) {
  if (which > 3)
    return load(at) * 2;
  return which ? load(at + 1) : which > 1 && load(at + 2) > 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_File_open(MPI_COMM_WORLD, "f", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh);
  double x = choose(argc, 0);
  for (int i = 0; i < 4; i++) {
    double y = i & 1 ? load(i) : 0;
    use(x + y);
  }
  MPI_Finalize();
}
)");
  const std::string text = program.text();
  EXPECT_THAT(text, HasSubstr(R"(
static double choose__pre(int which, long at) {
  if (which > 3) {
    load__pre(at);
    return 0;
  }
  (which ? (void)(load__pre(at + 1)) : (void)((which > 1 ? (void)(load__pre(at + 2)) : (void)0)));
)"));
  EXPECT_THAT(text, HasSubstr("    (i & 1 ? (void)(load__pre(i)) : (void)0);\n"));
  EXPECT_TRUE(compiles({{"a.c", text}}));
}

} // namespace
} // namespace forerun::slicer::testing
