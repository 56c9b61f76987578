// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

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

TEST(SliceControl, WhereASearchEndsDecidesWhatIsRead) {
  expectInMain(R"(
  int keys[9];
  MPI_File_read_at(fh, 0, keys, 9, MPI_INT, MPI_STATUS_IGNORE); // in
  for (int id = 0; id < 9; id++) { // in
    int k, n = 0; // in
    for (k = 0; k < 9; k++) { // in
      if (keys[k] == id) // in
        break; // in
    }
    get(k); // in
    while (n < 9 && keys[n] != id) // in
      n++; // in
    get(n); // in
  }
)");
}

TEST(SliceControl, TheExitOfALoopThatReadsNothingDecidesWhetherThereIsARead) {
  expectInMain(R"(
  double sum = 0;
  for (int i = 0; i < 200; i++) // in
    sum += block(i * 7 % 31); // in
  use(sum);
)",
               R"(
static int tags[8], next;
static double held[8];
static double block(int number) {
  for (int i = 0; i < 8; i++)    // in
    if (tags[i] == number + 1)   // in
      return held[i];            // in
  int slot = next++ % 8;         // in
  tags[slot] = number + 1;       // in
  get(number);                   // in
  held[slot] = buf[0];
  return held[slot];
}
)");
}

TEST(SliceControl, AnErrorFoundByALoopOverWhatIsReadNeedsNoData) {
  expectInMain(R"(
  for (int i = 0; i < 50; i++) { // in
    get(i); // in
    for (int k = 0; k < 8; k++)
      if (buf[k] > 1e9)
        exit(1);
  }
)");
}

TEST(SliceControl, TheEndOfAComputationBeforeTheReadsNeedNotBeComputed) {
  expectInMain(R"(
  for (int it = 0; it < 100; it++) {
    advance();
    if (grid[3] != grid[3])
      return 1;
  }
  for (int i = 0; i < 50; i++) // in
    get(i); // in
)",
               R"(
static double grid[64];
static void advance(void) {
  for (int i = 1; i < 63; i++)
    grid[i] = (grid[i - 1] + grid[i + 1]) / 2;
}
)");
}

TEST(SliceControl, AHandleThatIsClosedIsNullAfterIt) {
  expectInMain(R"(
  get(0); // in
  MPI_File part = MPI_FILE_NULL; // in
  for (int i = 0; i < 30; i++) { // in
    if (i % 10 == 0 && part != MPI_FILE_NULL) // in
      MPI_File_close(&part); // in
    if (part == MPI_FILE_NULL) // in
      MPI_File_open(MPI_COMM_SELF, "g", MPI_MODE_RDONLY, MPI_INFO_NULL, &part); // in
    MPI_File_read_at(part, i, buf, 8, MPI_DOUBLE, MPI_STATUS_IGNORE); // in
  }
)");
}

TEST(SliceControl, AnExitThatIsAnOperandOfTheConditionIsCut) {
  const auto lines = marked(R"(
static int visit(void) {
  return buf[0] < 1;
}
int main(void) {
  MPI_Init(0, 0);
  int status = 0;
  for (int i = 0; i < 9 && status == 0; i++) {
    get(i);
    status = visit();
  }
  status = 0;
  int i = 9;
  while (!status && i > 0) {
    get(--i);
    status = visit();
  }
  MPI_Finalize();
}
)");
  EXPECT_THAT(lines, ::testing::Contains(">   while (!status && i > 0) {"));
  EXPECT_THAT(lines, ::testing::Contains("      status = visit();"));
  EXPECT_THAT(lines, ::testing::Contains("    return buf[0] < 1;"));
}

TEST(SliceControl, WithoutABoundTheWholeConditionDecides) {
  expectInMain(R"(
  double left = 1; // in
  int more = 1; // in
  while (left > 0.1 && more) { // in
    get(argc); // in
    left -= buf[0]; // in
    more = buf[1] > 0; // in
  }
)");
}

TEST(SliceControl, OfACallInAConditionsLaterOperandOnlyTheCallIsIn) {
  const auto lines = marked(R"(
static int visit(int i) {
  get(i);
  return buf[0] < 1;
}
int main(int argc, char **argv) {
  MPI_Init(0, 0);
  if (argc > 1 && visit(argc) != 0)
    puts("bad");
  if (argc < 1 || visit(2))
    puts("bad");
  MPI_Finalize();
}
)");
  EXPECT_THAT(lines, ::testing::Contains(">   get(i);"));
  EXPECT_THAT(lines, ::testing::Contains("    return buf[0] < 1;"));
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
