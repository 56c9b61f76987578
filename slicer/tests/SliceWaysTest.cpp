// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

/// \file
/// How often the pre-execution thread reaches what the main thread hands over: equally often.

namespace forerun::slicer::testing {
namespace {

constexpr const char *kFetch = R"(
static int fetch(void) {
  int v;
  scanf("%d", &v); // in
  return v; // in
}
)";

TEST(SliceWays, AHelperThatIsHandedAValueIsCalledAlsoWhereNothingNeedsIt) {
  expectInMain(R"(
  int red = fetch(); // in
  int blue = fetch(); // in
  int green = fetch(); // in
  get(100 * red + green); // in
  use(blue);
)",
               kFetch);
}

TEST(SliceWays, WhatDecidesOnSuchACallIsInAsWell) {
  expectInMain(R"(
  int wanted = argc > 3; // in
  double sum = argc;
  if (wanted) // in
    sum += fetch(); // in
  use(sum);
  get(fetch()); // in
)",
               kFetch);
}

TEST(SliceWays, SuchCallsAreFoundThroughOtherFunctions) {
  expectInMain(R"(
  report(3); // in
  report(0); // in
  get(fetch()); // in
)",
               std::string(kFetch) + R"(
static void report(int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) // in
    sum += fetch(); // in
  use(sum);
}
)");
}

TEST(SliceWays, AnUnknownFunctionIsHandedOverLikeAnyOther) {
  expectInMain(R"(
  use(next()); // in
  get(next()); // in
)",
               R"(
extern int unknown(void);
static int next(void) {
  return unknown(); // in
}
)");
}

TEST(SliceWays, AHelperThatOpensFilesIsCalledAlsoForThoseThatNobodyReads) {
  expectSlice(R"(
static MPI_File of(const char *name) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file); // in
  return file; // in
}
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_File log = of("log"); // in
  fh = of("data"); // in
  get(3); // in
  use(log != 0);
  MPI_Finalize();
  return 0;
}
)");
}

TEST(SliceWays, TheRankInTheWorldIsTheSameInEachCall) {
  expectInMain(R"(
  if (rank() == 0)
    printf("begin\n");
  get(rank()); // in
)",
               R"(
static int rank(void) {
  int result;
  MPI_Comm_rank(MPI_COMM_WORLD, &result); // in
  return result; // in
}
)");
}

TEST(SliceWays, AnEarlyExitIsKeptIfAValueIsHandedOverAgainAfterIt) {
  expectInMain(R"(
  for (int round = 0; round < 3; round++) // in
    for (int i = 0; i < 10; i++) { // in
      long at;
      scanf("%ld", &at); // in
      get(at); // in
      if (buf[0] > 4) // in
        break; // in
    }
)");
}

TEST(SliceWays, AnEarlyExitAfterWhichNoneIsHandedOverMayBeLeftOut) {
  expectInMain(R"(
  for (int i = 0; i < 10; i++) { // in
    long at;
    scanf("%ld", &at); // in
    get(at); // in
    if (buf[0] > 4)
      break;
  }
)");
}

TEST(SliceWays, ACallThatCompletesARequestIsFoundInAHelper) {
  expectInMain(R"(
  long at;
  MPI_Request request;
  MPI_Irecv(&at, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, &request); // in
  finish(&request); // in
  get(at); // in
)",
               R"(
static void finish(MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE); // in
}
)");
}

TEST(SliceWays, StatesThatOnlyTheMainThreadChangesAreHandedOver) {
  expectInMain(R"(
  char state[64];
  initstate(5, state, sizeof state);
  use(random());
  get(random()); // in
  setenv("A", "3", 1);
  get(atoi(getenv("A"))); // in
)");
}

} // namespace
} // namespace forerun::slicer::testing
