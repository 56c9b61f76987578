/* SPDX-License-Identifier: Apache-2.0 */
/* A variable that is reached from another by the difference of their addresses. */
#include "reader.h"
#include <stddef.h>

static int one = 3, other = 5;

static void work(void) {
  ptrdiff_t distance = (char *)&other - (char *)&one;
  for (int i = 0; i < 100; i++)
    readAt(*(int *)((char *)&one + distance) += 2);
  printf("%d %d\n", one, other);
}
