/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers as intptr_t in a structure, handed to a function. */
#include "reader.h"

struct slot {
  intptr_t base;
  int count;
};
static int shared[4] = {3, 5, 7, 9};

static int next(intptr_t base, int i) {
  int *values = (int *)base;
  return values[i % 4] += 3;
}

static void work(void) {
  struct slot slot = {(intptr_t)shared, 4};
  for (int i = 0; i < 100; i++)
    readAt(next(slot.base, i));
  printf("%d %d\n", shared[0], shared[3]);
}
