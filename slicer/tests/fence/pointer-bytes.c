/* SPDX-License-Identifier: Apache-2.0 */
/* A pointer that is copied byte by byte, to unaligned places. */
#include "reader.h"

static int shared = 3;

static void work(void) {
  char bytes[16];
  int *pointer = &shared, *copy;
  memcpy(bytes + 3, &pointer, sizeof pointer);
  memcpy(&copy, bytes + 3, sizeof copy);
  for (int i = 0; i < 100; i++)
    readAt(*copy += 2);
  printf("%d\n", shared);
}
