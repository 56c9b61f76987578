/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * The bytes of the file and of the user's memory that a request names.
 */

#include "ad_forerun_internal.h"

#include <string.h>

/* ---- the bytes of a request ---- */

void ad_forerun_request_get(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                            ADIO_Offset offset, ad_forerun_request *r) {
  ADIO_Offset first, last, fp = fd->fp_ind;
  ADIOI_Calc_my_off_len(fd, count, datatype, file_ptr_type, offset, &r->offsets, &r->lengths,
                        &first, &last, &r->count);
  r->next_fp = fd->fp_ind;
  fd->fp_ind = fp;
}

void ad_forerun_request_free(ad_forerun_request *r) { ADIOI_Free(r->offsets); }

forerun_range *ad_forerun_request_ranges(const ad_forerun_request *r, ADIO_Offset gap,
                                         size_t *count) {
  forerun_range *ranges;
  size_t n = 0;
  int i;

  ranges = (forerun_range *)ADIOI_Malloc((r->count + 1) * sizeof(forerun_range));
  for (i = 0; i < r->count; i++) {
    ADIO_Offset start = r->offsets[i], end = start + r->lengths[i];
    if (r->lengths[i] == 0)
      continue;
    if (n > 0) {
      ADIO_Offset last_end = (ADIO_Offset)(ranges[n - 1].offset + ranges[n - 1].length);
      if (start >= (ADIO_Offset)ranges[n - 1].offset && start <= last_end + gap) {
        if (end > last_end)
          ranges[n - 1].length = end - ranges[n - 1].offset;
        continue;
      }
    }
    ranges[n].offset = start;
    ranges[n].length = r->lengths[i];
    n++;
  }
  *count = n;
  return ranges;
}

ADIO_Offset ad_forerun_bytes_of(int count, MPI_Datatype datatype) {
  MPI_Count size;
  MPI_Type_size_x(datatype, &size);
  return (ADIO_Offset)size * count;
}

/* ---- the user's memory ---- */

void ad_forerun_memory_start(ad_forerun_memory *m, void *buf, MPI_Datatype datatype) {
  int contiguous;
  MPI_Aint lb;

  memset(m, 0, sizeof(*m));
  m->buf = (char *)buf;
  ADIOI_Datatype_iscontig(datatype, &contiguous);
  if (!contiguous) {
    m->flat = ADIOI_Flatten_and_find(datatype);
    MPI_Type_get_extent(datatype, &lb, &m->extent);
  }
}

int ad_forerun_memory_put(const struct ADIOI_Forerun *f, ad_forerun_memory *m, const char *bytes,
                          ADIO_Offset length) {
  if (!m->flat) {
    if (!f->door->copy(m->buf + m->done, bytes, length))
      return 0;
    m->done += length;
    return 1;
  }
  while (length > 0) {
    ADIO_Offset part = m->flat->blocklens[m->block] - m->done;
    if (part > length)
      part = length;
    if (!f->door->copy(m->buf + m->instance * m->extent + m->flat->indices[m->block] + m->done,
                       bytes, part))
      return 0;
    bytes += part;
    length -= part;
    m->done += part;
    if (m->done == m->flat->blocklens[m->block]) {
      m->done = 0;
      if (++m->block == m->flat->count) {
        m->block = 0;
        m->instance++;
      }
    }
  }
  return 1;
}
