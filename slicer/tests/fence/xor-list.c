/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses that result only from the exclusive or of others. */
#include "reader.h"

static int one = 3, other = 100;

static void work(void) {
  uintptr_t both = (uintptr_t)&one ^ (uintptr_t)&other;
  int *pointer = (int *)(both ^ (uintptr_t)&other);
  for (int i = 0; i < 100; i++)
    readAt(*pointer += 2);
  printf("%d %d\n", one, other);
}
