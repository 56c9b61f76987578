/* SPDX-License-Identifier: Apache-2.0 */
#include "written.h"

#include <stdlib.h>

/** 64 MiB: more metadata than this is not foreseen. */
static const size_t kMostPages = 16384;

static WrittenPage **slotOf(Written *in, uint64_t number) {
  return &in->slots[number % kPageSlots];
}

WrittenPage *writtenFind(Written *in, uint64_t number) {
  WrittenPage *page = *slotOf(in, number);
  while (page != NULL && page->number != number)
    page = page->next;
  return page;
}

WrittenPage *writtenAdd(Written *in, uint64_t number) {
  WrittenPage *page = in->pages < kMostPages ? calloc(1, sizeof *page) : NULL;
  if (page == NULL)
    return NULL;
  in->pages++;
  page->number = number;
  page->next = *slotOf(in, number);
  *slotOf(in, number) = page;
  return page;
}

void writtenForget(Written *in) {
  for (int i = 0; i < kPageSlots; i++)
    while (in->slots[i] != NULL) {
      WrittenPage *page = in->slots[i];
      in->slots[i] = page->next;
      free(page);
    }
  in->pages = 0;
}
