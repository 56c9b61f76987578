/* SPDX-License-Identifier: Apache-2.0 */
/* What a library's search tree returns points to what was put in. */
#include "reader.h"
#include <search.h>

struct pair {
  long key, value;
};
static struct pair entries[10];

static int compare(const void *a, const void *b) {
  long x = ((const struct pair *)a)->key, y = ((const struct pair *)b)->key;
  return x < y ? -1 : x > y;
}

static void work(void) {
  void *root = NULL;
  for (int i = 0; i < 10; i++) {
    entries[i].key = entries[i].value = i;
    tsearch(&entries[i], &root, compare);
  }
  for (int i = 0; i < 10; i++) {
    struct pair wanted = {i, 0};
    (*(struct pair **)tfind(&wanted, &root, compare))->value += 5 * i;
  }
  for (int i = 0; i < 10; i++)
    readAt(entries[i].value);
  printf("%ld\n", entries[9].value);
}
