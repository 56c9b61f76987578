/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer kept in an integer, and written through. */
#include "reader.h"

static int shared = 3;

static void work(void) {
  uintptr_t address = (uintptr_t)&shared;
  for (int i = 0; i < 100; i++)
    readAt(*(int *)address += 4);
  printf("%d\n", shared);
}
