/* SPDX-License-Identifier: Apache-2.0 */
/* A list of what was read, each record the number of the next one. Under a leak checker the cache's
 * own pages are no leaks, though only tables that it does not look at point to them. */
#include "reader.h"

struct node {
  struct node *next;
  long number;
};

static void work(void) {
  struct node *list = NULL;
  long before = 0;
  for (int i = 0; i < 300; i++) {
    struct node *node = malloc(sizeof *node);
    readAt(list == NULL ? 1 : list->number);
    node->number = (total - before) * 5 + 77;
    before = total;
    node->next = list;
    list = node;
  }
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}
