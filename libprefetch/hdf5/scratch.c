/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include <stdint.h>
#include <sys/mman.h>

static char *begin;
static size_t length;

void *scratchTake(size_t bytes) {
  if (bytes <= length)
    return begin;
  if (begin != NULL)
    munmap(begin, length);
  begin = NULL;
  length = 0;
  const size_t wanted = bytes > kScratchBytes ? bytes : kScratchBytes;
  void *fresh = mmap(NULL, wanted, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    return NULL;
  begin = fresh;
  length = wanted;
  return begin;
}

bool scratchHolds(const void *buffer) { return (uintptr_t)buffer - (uintptr_t)begin < length; }

void scratchClean(void) {
  if (begin != NULL)
    madvise(begin, length, MADV_DONTNEED);
}
