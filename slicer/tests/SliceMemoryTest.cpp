// SPDX-License-Identifier: Apache-2.0
#include "SlicedProgram.h"

#include <gtest/gtest.h>

/// \file
/// Which memory that libraries allocate is needed.

namespace forerun::slicer::testing {
namespace {

TEST(SliceMemory, OfMemoryThatGrowsOnlyWhatIsReadOfItIsIn) {
  expectInMain(R"(
  struct Item { long at; double sum; } *items = 0; // in
  for (int i = 0; i < 9; i++) { // in
    items = realloc(items, (i + 1) * sizeof *items); // in
    items[i].at = i * 8; // in
    items[i].sum = 0;
    for (int k = 0; k < 8; k++)
      items[i].sum += buf[k];
    get(items[i].at); // in
  }
)");
}

TEST(SliceMemory, WhatIsInMemoryBeforeItGrowsIsInItAfterwards) {
  expectInMain(R"(
  long *at = malloc(sizeof *at); // in
  at[0] = 7; // in
  at = realloc(at, 2 * sizeof *at); // in
  get(at[0]); // in
)");
}

TEST(SliceMemory, ItMayGrowWhereItsStatementCallsAnotherFunction) {
  expectInMain(R"(
  struct Vector v = {0, 0}; // in
  for (int i = 0; i < 9; i++) // in
    push(&v, i * 8); // in
  get(v.items[3]); // in
)",
               R"(
struct Vector { long *items; int count; };
static void *keep(void *block) {
  if (!block) // in
    exit(1); // in
  return block; // in
}
static void push(struct Vector *v, long item) {
  v->items = keep(realloc(v->items, (v->count + 1) * sizeof *v->items)); // in
  v->items[v->count++] = item; // in
}
)");
}

/// A program's own list, which holds all that it collects.
constexpr const char *kList = R"(
struct List { long *items; int count, room; };
static void push(struct List *l, long item) {
  if (l->count == l->room) { // in
    l->room = 2 * l->room + 4; // in
    l->items = realloc(l->items, l->room * sizeof *l->items); // in
  }
  l->items[l->count++] = item; // in
}
)";

TEST(SliceMemory, WhatAHelperDoesForOneCallIsNotDoneForAnother) {
  expectInMain(R"(
  struct List offsets = {0, 0, 0}, results = {0, 0, 0}; // in
  for (int i = 0; i < 9; i++) // in
    push(&offsets, i * 8); // in
  for (int i = 0; i < 9; i++) { // in
    get(offsets.items[i]); // in
    push(&results, buf[i]);
  }
  use(results.items[0]);
)",
               kList);
}

TEST(SliceMemory, AHelperOfWhichSeveralCallsAreInHasOneCloneThatServesAll) {
  expectInMain(R"(
  struct List offsets = {0, 0, 0}, others = {0, 0, 0}; // in
  for (int i = 0; i < argc; i++) { // in
    push(&others, i * 8); // in
    push(&offsets, i * 8); // in
  }
  if (others.count > 2) // in
    get(offsets.items[1]); // in
)",
               kList);
}

TEST(SliceMemory, HelpersOfHelpersHaveAWorldOfTheirOwnForEachCallToo) {
  expectInMain(R"(
  long *table = 0, *sums = 0; // in
  put(&table, 3, argc); // in
  put(&sums, 3, buf[0]);
  get(table[3]); // in
  use(sums[3]);
)",
               R"(
static void grow(long **at, int n) {
  *at = realloc(*at, n * sizeof **at); // in
}
static void put(long **at, int index, long value) {
  grow(at, index + 1); // in
  (*at)[index] = value; // in
}
)");
}

TEST(SliceMemory, WhatAHelperKeepsForItselfIsOneForAllCalls) {
  expectInMain(R"(
  long a, b;
  number(&a); // in
  number(&b); // in
  get(b); // in
)",
               R"(
static void number(long *to) {
  static long next;
  *to = next++; // in
}
)");
}

constexpr const char *kArena = R"(
typedef struct { char *base; size_t used, all; } Arena;
static void *take(Arena *arena, size_t n) {
  size_t at = (arena->used + 15) & ~(size_t)15; // in
  if (at + n > arena->all) // in
    return 0; // in
  arena->used = at + n;
  return arena->base + at; // in
}
)";
constexpr const char *kTwoPieces = R"(
  Arena arena = {0}; // in
  arena.base = malloc(4096); // in
  arena.all = 4096; // in
  long *at = take(&arena, 80); // in
  double *sums = take(&arena, 80);
  for (int i = 0; i < 10; i++) { // in
    at[i] = i * 8; // in
    sums[i] = 0;
  }
  for (int i = 0; i < 10; i++) { // in
    get(at[i]); // in
    sums[i] += buf[0];
  }
  use(sums[argc]);
)";

TEST(SliceMemory, EachPieceOfAnArenaIsMemoryOfItsOwn) {
  expectInMain(std::string(kTwoPieces) + "  free(arena.base);\n", kArena);
  expectInMain(R"(
  long *at = take(8); // in
  double *sum = take(8);
  *sum = 0;
  for (*at = 0; *at < 10; ++*at) { // in
    get(*at); // in
    *sum += buf[0];
  }
  use(*sum);
)",
               R"(
static char room[4096], *next = room;
static void *take(int n) {
  char *p = next; // in
  next += n;
  return p; // in
}
)");
}

TEST(SliceMemory, WhoseBytesAreUsedAsAWholeIsNoArena) {
  const auto lines = marked(std::string(kArena) + "int main(int argc, char **argv) {\n" +
                            "  MPI_Init(&argc, &argv);\n" + kTwoPieces +
                            "  use(arena.base[argc]);\n  MPI_Finalize();\n}\n");
  EXPECT_THAT(lines, ::testing::Contains(">     sums[i] += buf[0];"));
}

TEST(SliceMemory, AFunctionThatGivesTheSameAgainIsNoArena) {
  expectInMain(R"(
  long *at = same(8); // in
  long *other = same(8); // in
  other[0] = argc; // in
  get(at[0]); // in
)",
               R"(
static char room[64];
static int asked;
static void *same(int n) {
  asked = n;
  return room; // in
}
)");
}

} // namespace
} // namespace forerun::slicer::testing
