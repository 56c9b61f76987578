/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses that are aligned by arithmetic. */
#include "reader.h"

static void fill(long *a) {
  for (int i = 0; i < 10; i++)
    a[i] = i * 7 + 1;
}

static void readAll(const long *a) {
  for (int i = 0; i < 10; i++)
    readAt(a[i]);
}

static void work(void) {
  char *raw = malloc(1000 + 64);
  long *a = (long *)(((size_t)raw + 63) / 64 * 64);
  fill(a);
  readAll(a);
  uintptr_t u = (uintptr_t)raw;
  u += 64 - u % 64;
  a = (long *)u;
  fill(a);
  readAll(a);
  a = (long *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
  fill(a);
  readAll(a);
  free(raw);
}
