/* SPDX-License-Identifier: Apache-2.0 */
/* A list of reads: each record has the number of the next one. A leak checker must not report the
 * cache's own pages, although only tables that it does not search point to them. */
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
