/* SPDX-License-Identifier: Apache-2.0 */
/* From one member of a structure to another by an index. */
#include "reader.h"

static struct {
  int pad, first, second;
} s = {0, 1, 5};

static void work(void) {
  int *pointer = &s.first;
  for (int i = 0; i < 100; i++)
    readAt(pointer[1] += 2);
  for (int i = 0; i < 100; i++) {
    pointer[1] += 3;
    readAt(s.second);
  }
  printf("%d\n", s.second);
}
