// SPDX-License-Identifier: Apache-2.0
#include "SliceTesting.h"

/// \file
/// What determines whether a read is executed: branches, jumps, early exits.

namespace forerun::slicer::testing {
namespace {

TEST(SliceControl, BranchesThatDecideOnAReadAreIn) {
  expectInMain(R"(
  int a = argc > 2, b = argc > 3; // in
  if (a) // in
    get(1); // in
  if (b)
    use(1);
  switch (argc) { // in
  case 1:
    use(1);
  case 2:
    get(2); // in
    break; // in
  default:
    get(3); // in
  }
)");
}

TEST(SliceControl, AJumpIsKeptWithWhatItSkips) {
  expectInMain(R"(
  for (int i = 0; i < 10; i++) { // in
    if (i % 3 == 0) // in
      continue; // in
    get(i); // in
  }
  long k = 0; // in
again:
  get(k); // in
  if (++k < 5) // in
    goto again; // in
)");
}

TEST(SliceControl, AnEarlyExitThatNeedsTheDataIsCut) {
  expectInMain(R"(
  double energy = 1;
  for (int i = 0; i < 10; i++) { // in
    get(i); // in
    energy -= buf[0];
    if (energy < 0.1)
      break;
  }
)");
}

TEST(SliceControl, EveryEarlyExitIsKeptOnDemand) {
  Closure::Options strict;
  strict.followExits = true;
  const auto lines = marked("int main(void) {\n  MPI_Init(0, 0);\n"
                            "  for (int i = 0; i < 9; i++) {\n    get(i);\n"
                            "    if (buf[0] < 1)\n      break;\n  }\n  MPI_Finalize();\n}\n",
                            strict);
  EXPECT_THAT(lines, ::testing::Contains(">       break;"));
}

TEST(SliceControl, AnEarlyExitThatCostsNothingIsKept) {
  expectInMain(R"(
  for (int i = 0;; i++) { // in
    if (i == argc * 5) // in
      break; // in
    get(i); // in
  }
)");
}

TEST(SliceControl, AnEarlyExitThatCostsNothingIsKeptBeforeOneThatIsCut) {
  expectInMain(R"(
  for (int i = 0; i < 40; i++) { // in
    if (i == argc * 5) // in
      break; // in
    if (buf[0] < 1)
      break;
    get(i); // in
  }
)");
}

TEST(SliceControl, BranchesThatEndTheProgramOnErrorsNeedNoData) {
  expectInMain(R"(
  for (int i = 0; i < 10; i++) { // in
    get(i); // in
    if (buf[0] > 1e9)
      exit(1);
    if (buf[1] > 1e9)
      die("bad");
  }
)",
               R"(
static void die(const char *why) {
  fprintf(stderr, "%s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
)");
}

} // namespace
} // namespace forerun::slicer::testing
