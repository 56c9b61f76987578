/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
#include "scratch.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kWindowBytes = 1 << 20 };

static char *begin;
static size_t length;

/** False: the system refuses. */
static bool repeat(char *addresses, size_t bytes) {
  const int memory = memfd_create("forerun", MFD_CLOEXEC);
  bool isDone = memory >= 0 && ftruncate(memory, kWindowBytes) == 0;
  for (size_t at = 0; isDone && at < bytes; at += kWindowBytes)
    isDone = mmap(addresses + at, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                  memory, 0) != MAP_FAILED;
  if (memory >= 0)
    close(memory);
  return isDone;
}

void *scratchTake(size_t bytes) {
  if (bytes <= length && begin != NULL)
    return begin;
  if (begin != NULL)
    munmap(begin, length);
  begin = NULL;
  length = (bytes / kWindowBytes + 1) * kWindowBytes;
  void *fresh = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    return NULL;
  if (repeat(fresh, length))
    begin = fresh;
  else
    munmap(fresh, length);
  return begin;
}
