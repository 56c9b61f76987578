/* SPDX-License-Identifier: Apache-2.0 */
/* The element that a search has found is written to. */
#include "reader.h"
#include <search.h>

struct pair {
  long key, value;
};
static struct pair entries[10];

static int compare(const void *a, const void *b) {
  return (int)(((const struct pair *)a)->key - ((const struct pair *)b)->key);
}

static void work(void) {
  size_t count = 10;
  for (int i = 0; i < 10; i++)
    entries[i] = (struct pair){i, i};
  for (int i = 0; i < 10; i++) {
    struct pair wanted = {i, 0};
    ((struct pair *)bsearch(&wanted, entries, count, sizeof wanted, compare))->value += 5 * i;
    ((struct pair *)lfind(&wanted, entries, &count, sizeof wanted, compare))->value += 3;
  }
  for (int i = 0; i < 10; i++)
    readAt(entries[i].value);
  printf("%ld\n", entries[9].value);
}
