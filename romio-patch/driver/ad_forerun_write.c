/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Writes: the library is told of them, and of those that others make in a collective one.
 */

#include "ad_forerun_internal.h"

typedef void (*tell_fn)(forerun_handle *h, const forerun_range *ranges, size_t count);

static void tell_contig(ADIO_File fd, tell_fn tell, int count, MPI_Datatype datatype,
                        ADIO_Offset offset) {
  forerun_range range;

  range.offset = offset;
  range.length = ad_forerun_bytes_of(count, datatype);
  if (range.length > 0)
    (*tell)(fd->forerun->handle, &range, 1);
}

static void tell_request(ADIO_File fd, tell_fn tell, const ad_forerun_request *r) {
  size_t count;
  forerun_range *ranges = ad_forerun_request_ranges(r, 0, &count);

  if (count > 0)
    (*tell)(fd->forerun->handle, ranges, count);
  ADIOI_Free(ranges);
}

void ad_forerun_WriteContig(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                            int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                            int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  ADIO_Status base_status;
  MPI_Count bytes = 0;

  if (file_ptr_type == ADIO_INDIVIDUAL)
    offset = fd->fp_ind;
  (*f->base->ADIOI_xxx_WriteContig)(fd, buf, count, datatype, file_ptr_type, offset, &base_status,
                                    error_code);
  if (*error_code == MPI_SUCCESS) {
    MPI_Get_elements_x(&base_status, MPI_BYTE, &bytes);
    MPIR_Status_set_bytes(status, datatype, bytes);
  }
  if (ad_forerun_here.writes_known)
    return;
  if (bytes > 0 && bytes == ad_forerun_bytes_of(count, datatype))
    f->door->wrote(f->handle, buf, offset, bytes);
  else
    tell_contig(fd, f->door->written, count, datatype, offset);
}

void ad_forerun_WriteStrided(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                             int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                             int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  ad_forerun_request r;

  ad_forerun_request_get(fd, count, datatype, file_ptr_type, offset, &r);
  ad_forerun_here.reads_bypass++;
  ad_forerun_here.writes_known++;
  (*f->base->ADIOI_xxx_WriteStrided)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                     error_code);
  ad_forerun_here.writes_known--;
  ad_forerun_here.reads_bypass--;
  if (!ad_forerun_here.writes_known)
    tell_request(fd, f->door->written, &r);
  ad_forerun_request_free(&r);
}

void ad_forerun_WriteStridedColl(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                 int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                                 int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  ad_forerun_request r;

  ad_forerun_request_get(fd, count, datatype, file_ptr_type, offset, &r);
  ad_forerun_here.reads_bypass++;
  (*f->base->ADIOI_xxx_WriteStridedColl)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                         error_code);
  ad_forerun_here.reads_bypass--;
  tell_request(fd, f->door->written, &r);
  ad_forerun_request_free(&r);
}

/* What a process wrote in a collective write lies in [begin, end). */
struct span {
  ADIO_Offset begin, end;
};

/* Tells what the others wrote. */
static void tell_others(ADIO_File fd, const struct span *mine) {
  struct ADIOI_Forerun *f = fd->forerun;
  int nprocs, rank, i;
  struct span *all;
  forerun_range *ranges;
  size_t count = 0;

  MPI_Comm_size(fd->comm, &nprocs);
  MPI_Comm_rank(fd->comm, &rank);
  all = (struct span *)ADIOI_Malloc(nprocs * sizeof(struct span));
  ranges = (forerun_range *)ADIOI_Malloc(nprocs * sizeof(forerun_range));
  MPI_Allgather((void *)mine, 2, ADIO_OFFSET, all, 2, ADIO_OFFSET, fd->comm);
  for (i = 0; i < nprocs; i++)
    if (i != rank && all[i].end > all[i].begin) {
      ranges[count].offset = all[i].begin;
      ranges[count].length = all[i].end - all[i].begin;
      count++;
    }
  if (count > 0 && f->handle)
    (*f->door->written)(f->handle, ranges, count);
  ADIOI_Free(ranges);
  ADIOI_Free(all);
}

void ADIOI_Forerun_WriteStridedColl(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                    int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                                    int *error_code) {
  const int exchanges = fd->forerun_doors > 0 && fd->hints->cb_write != ADIOI_HINT_DISABLE;
  struct span mine = {0, 0};
  ad_forerun_request r;
  int i;

  if (!fd->forerun || !fd->forerun->shared) {
    ADIO_WriteStridedColl(fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
    return;
  }
  if (exchanges) {
    ad_forerun_request_get(fd, count, datatype, file_ptr_type, offset, &r);
    for (i = 0; i < r.count; i++) {
      if (r.lengths[i] == 0)
        continue;
      if (mine.end == 0 || r.offsets[i] < mine.begin)
        mine.begin = r.offsets[i];
      if (r.offsets[i] + r.lengths[i] > mine.end)
        mine.end = r.offsets[i] + r.lengths[i];
    }
    ad_forerun_request_free(&r);
  }
  ADIO_WriteStridedColl(fd, buf, count, datatype, file_ptr_type, offset, status, error_code);
  if (exchanges)
    tell_others(fd, &mine);
  else
    ADIOI_Forerun_epoch(fd, 0);
}

/* Before a non-blocking write is posted. */
static void tell_of_writing(ADIO_File fd, int count, MPI_Datatype datatype, int file_ptr_type,
                            ADIO_Offset offset) {
  ad_forerun_request r;

  ad_forerun_request_get(fd, count, datatype, file_ptr_type, offset, &r);
  tell_request(fd, fd->forerun->door->writing, &r);
  ad_forerun_request_free(&r);
}

void ad_forerun_IwriteContig(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                             int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                             int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;

  if (file_ptr_type == ADIO_INDIVIDUAL)
    offset = fd->fp_ind;
  tell_contig(fd, f->door->writing, count, datatype, offset);
  (*f->base->ADIOI_xxx_IwriteContig)(fd, buf, count, datatype, file_ptr_type, offset, request,
                                     error_code);
}

void ad_forerun_IwriteStrided(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                              int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                              int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;

  tell_of_writing(fd, count, datatype, file_ptr_type, offset);
  (*f->base->ADIOI_xxx_IwriteStrided)(fd, buf, count, datatype, file_ptr_type, offset, request,
                                      error_code);
}

void ad_forerun_IwriteStridedColl(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                  int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                                  int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;

  tell_of_writing(fd, count, datatype, file_ptr_type, offset);
  (*f->base->ADIOI_xxx_IwriteStridedColl)(fd, buf, count, datatype, file_ptr_type, offset, request,
                                          error_code);
}

void ADIOI_Forerun_rmw_iread(ADIO_File fd, void *buf, int count, ADIO_Offset offset,
                             ADIO_Request *request, int *error_code) {
  ad_forerun_here.reads_bypass++;
  ADIO_IreadContig(fd, buf, count, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, request, error_code);
  ad_forerun_here.reads_bypass--;
}
