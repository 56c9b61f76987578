/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Serves a request from the library: as a whole, or not at all.
 */

#include "ad_forerun_internal.h"

/* Ranges closer than a sector are read as one: a cache keeps whole sectors, so the
 * gap is there when its neighbours are. */
enum { SECTOR = 4096, CHUNK = 256 * 1024 };

/* 1 if the library put exactly these bytes into buf */
static int read_exactly(struct ADIOI_Forerun *f, void *buf, ADIO_Offset offset,
                        ADIO_Offset length) {
  size_t got = 0;
  uint64_t ticket = 0;
  return f->door->read(f->handle, buf, offset, length, &got, &ticket) && got == (size_t)length;
}

/* How far a request has been served */
typedef struct {
  const ad_forerun_request *request;
  int i;            /* the range, and */
  ADIO_Offset done; /* how much of it */
  ad_forerun_memory memory;
} progress_t;

/* Copies what of the request lies in [start, end), which is in chunk. Returns 0 if
 * the request goes back to before start (overlapping ranges of a read-only view), or
 * if the user's memory cannot be written to. */
static int copy_pieces(const struct ADIOI_Forerun *f, progress_t *p, const char *chunk,
                       ADIO_Offset start, ADIO_Offset end) {
  const ad_forerun_request *r = p->request;

  while (p->i < r->count) {
    ADIO_Offset offset = r->offsets[p->i] + p->done, length = r->lengths[p->i] - p->done;
    if (length > 0) {
      if (offset >= end)
        return 1;
      if (offset < start)
        return 0;
      if (length > end - offset)
        length = end - offset;
      if (!ad_forerun_memory_put(f, &p->memory, chunk + (offset - start), length))
        return 0;
      p->done += length;
      if (p->done < r->lengths[p->i])
        return 1;
    }
    p->i++;
    p->done = 0;
  }
  return 1;
}

/* Reads [start, end) straight into the user's memory if that is what the request
 * wants from there. */
static int serve_direct(struct ADIOI_Forerun *f, progress_t *p, ADIO_Offset start,
                        ADIO_Offset end) {
  const ad_forerun_request *r = p->request;
  ADIO_Offset at = start;
  int i = p->i;

  if (p->memory.flat)
    return 0;
  for (; i < r->count && at < end; i++) {
    if (r->lengths[i] > 0 && r->offsets[i] != at)
      return 0;
    at += r->lengths[i];
  }
  if (at != end || !read_exactly(f, p->memory.buf + p->memory.done, start, end - start))
    return 0;
  p->memory.done += end - start;
  p->i = i;
  return 1;
}

static int serve_by_chunks(struct ADIOI_Forerun *f, progress_t *p, ADIO_Offset start,
                           ADIO_Offset end) {
  char *chunk = (char *)ADIOI_Malloc(CHUNK);
  int ok = 1;

  while (ok && start < end) {
    ADIO_Offset length = MPL_MIN(end - start, CHUNK);
    ok = read_exactly(f, chunk, start, length) && copy_pieces(f, p, chunk, start, start + length);
    start += length;
  }
  ADIOI_Free(chunk);
  return ok;
}

int ad_forerun_serve(ADIO_File fd, void *buf, MPI_Datatype datatype, const ad_forerun_request *r) {
  struct ADIOI_Forerun *f = fd->forerun;
  forerun_range *ranges;
  size_t n, k;
  int ok;
  progress_t p;

  ranges = ad_forerun_request_ranges(r, SECTOR - 1, &n);
  ok = n == 0 || f->door->covered(f->handle, ranges, n);
  if (ok && n > 0) {
    p.request = r;
    p.i = 0;
    p.done = 0;
    ad_forerun_memory_start(&p.memory, buf, datatype);
    for (k = 0; ok && k < n; k++) {
      ADIO_Offset start = (ADIO_Offset)ranges[k].offset;
      ADIO_Offset end = start + (ADIO_Offset)ranges[k].length;
      ok = serve_direct(f, &p, start, end) || serve_by_chunks(f, &p, start, end);
    }
  }
  ADIOI_Free(ranges);
  return ok;
}

void ad_forerun_served(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                       const ad_forerun_request *r, ADIO_Status *status, int *error_code) {
  if (file_ptr_type == ADIO_INDIVIDUAL)
    fd->fp_ind = r->next_fp;
  fd->fp_sys_posn = -1;
  MPIR_Status_set_bytes(status, datatype, ad_forerun_bytes_of(count, datatype));
  *error_code = MPI_SUCCESS;
}
