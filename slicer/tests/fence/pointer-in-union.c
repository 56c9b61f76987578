/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer that goes through the integer of a union. */
#include "reader.h"

union both {
  long number;
  int *pointer;
};
static int shared = 3;
static union both first;

static void work(void) {
  union both second;
  first.pointer = &shared;
  long number = first.number;
  second.number = number;
  for (int i = 0; i < 100; i++)
    readAt(*second.pointer += 2);
  printf("%d\n", shared);
}
