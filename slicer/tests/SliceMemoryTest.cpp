// SPDX-License-Identifier: Apache-2.0
#include "SliceTesting.h"

#include <gtest/gtest.h>

/// \file
/// What is needed of memory that libraries allocate.

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

} // namespace
} // namespace forerun::slicer::testing
