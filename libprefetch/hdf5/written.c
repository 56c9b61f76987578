/* SPDX-License-Identifier: Apache-2.0 */
#include "written.h"

#include <stdlib.h>
#include <string.h>

enum { kPageBytes = 4096 };

struct WrittenPage {
  struct WrittenPage *next; /**< in its slot */
  uint64_t number;
  char bytes[kPageBytes];
  char isWritten[kPageBytes]; /**< of each byte: 1 or 0 */
};

/** 64 MiB, and as many marks: more metadata than this is not foreseen. */
static const size_t kMaxPages = 16384;

/** One page's part of a stretch of bytes. */
typedef struct Part {
  uint64_t page;
  size_t from, bytes;
} Part;

static Part partAt(uint64_t offset, size_t bytes) {
  const Part part = {offset / kPageBytes, offset % kPageBytes, kPageBytes - offset % kPageBytes};
  return (Part){part.page, part.from, part.bytes < bytes ? part.bytes : bytes};
}

/** NULL: nothing has been written there. */
static WrittenPage *find(const Written *in, uint64_t number) {
  WrittenPage *page = in->slots[number % kPageSlots];
  while (page != NULL && page->number != number)
    page = page->next;
  return page;
}

static WrittenPage *add(Written *in, uint64_t number) {
  WrittenPage *page = in->pages < kMaxPages ? calloc(1, sizeof *page) : NULL;
  if (page == NULL)
    return NULL;
  in->pages++;
  page->number = number;
  page->next = in->slots[number % kPageSlots];
  in->slots[number % kPageSlots] = page;
  return page;
}

bool writtenPut(Written *in, uint64_t offset, size_t bytes, const char *from) {
  for (size_t done = 0; done < bytes;) {
    const Part part = partAt(offset + done, bytes - done);
    WrittenPage *page = find(in, part.page);
    if (page == NULL)
      page = add(in, part.page);
    if (page == NULL)
      return false;
    memcpy(page->bytes + part.from, from + done, part.bytes);
    memset(page->isWritten + part.from, 1, part.bytes);
    done += part.bytes;
  }
  return true;
}

bool writtenHolds(const Written *in, uint64_t offset, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const Part part = partAt(offset + done, bytes - done);
    const WrittenPage *page = find(in, part.page);
    if (page == NULL || memchr(page->isWritten + part.from, 0, part.bytes) != NULL)
      return false;
    done += part.bytes;
  }
  return true;
}

void writtenCopy(const Written *in, uint64_t offset, size_t bytes, char *to) {
  for (size_t done = 0; done < bytes && in->pages > 0;) {
    const Part part = partAt(offset + done, bytes - done);
    const WrittenPage *page = find(in, part.page);
    for (size_t i = 0; page != NULL && i < part.bytes; i++)
      if (page->isWritten[part.from + i])
        to[done + i] = page->bytes[part.from + i];
    done += part.bytes;
  }
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
