/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers are sorted, then written through. */
#include "reader.h"

static int compare(const void *a, const void *b) {
  return **(long *const *)a < **(long *const *)b ? 1 : -1;
}

static void work(void) {
  long values[10], *pointers[10];
  for (int i = 0; i < 10; i++) {
    values[i] = (i * 7) % 10;
    pointers[i] = &values[i];
  }
  qsort(pointers, 10, sizeof *pointers, compare);
  for (int i = 0; i < 10; i++)
    *pointers[i] += 10 * i;
  for (int i = 0; i < 10; i++)
    readAt(values[i]);
}
