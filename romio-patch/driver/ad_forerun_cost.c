/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * What reads cost, for the program's report: the library is told of each read as the driver was
 * asked for it (what a collective or a strided read becomes inside is part of it), how long it took,
 * and how much of that was waiting for processes that came later.
 */

#include "ad_forerun_internal.h"

#include <time.h>

uint64_t ad_forerun_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t ad_forerun_read_begins(struct ADIOI_Forerun *f) {
  if (!f->costs || ad_forerun_here.reads_inside++ > 0)
    return 0;
  ad_forerun_here.library_served = 0;
  ad_forerun_here.waited_ns = 0;
  return ad_forerun_now_ns();
}

void ad_forerun_read_ends(struct ADIOI_Forerun *f, forerun_form form, const forerun_range *ranges,
                          size_t count, uint64_t start) {
  if (!f->costs)
    return;
  ad_forerun_here.reads_inside--;
  if (start)
    f->costs->read(f->handle, form, ranges, count, ad_forerun_here.library_served,
                   ad_forerun_now_ns() - start, ad_forerun_here.waited_ns);
}

void ad_forerun_request_ends(ADIO_File fd, forerun_form form, const ad_forerun_request *r,
                             uint64_t start) {
  size_t count = 0;
  forerun_range *ranges;
  uint64_t ns;

  if (!start) {
    ad_forerun_read_ends(fd->forerun, form, NULL, 0, 0);
    return;
  }
  ns = ad_forerun_now_ns() - start;
  ranges = ad_forerun_request_ranges(r, 0, &count);
  ad_forerun_read_ends(fd->forerun, form, ranges, count, ad_forerun_now_ns() - ns);
  ADIOI_Free(ranges);
}
