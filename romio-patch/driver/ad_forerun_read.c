/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Reads of one process.
 */

#include "ad_forerun_internal.h"

static int bypassed(ADIO_File fd) { return ad_forerun_here.reads_bypass || fd->atomicity; }

static void read_contig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                        int file_ptr_type, ADIO_Offset offset, ADIO_Offset length,
                        ADIO_Status *status, int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  size_t got = 0;
  uint64_t ticket = 0, start = 0;
  ADIO_Status base_status;
  MPI_Count bytes = 0;

  if (f->door->read(f->handle, buf, offset, length, &got, &ticket)) {
    ad_forerun_here.library_served = 1;
    fd->fp_sys_posn = offset + (ADIO_Offset)got;
    if (file_ptr_type == ADIO_INDIVIDUAL)
      fd->fp_ind += (ADIO_Offset)got;
    MPIR_Status_set_bytes(status, datatype, (MPI_Count)got);
    *error_code = MPI_SUCCESS;
    return;
  }

  if (ticket == FORERUN_UNTOLD) {
    (*f->base->ADIOI_xxx_ReadContig)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                     error_code);
    return;
  }
  if (ticket != FORERUN_UNTIMED)
    start = ad_forerun_now_ns();
  (*f->base->ADIOI_xxx_ReadContig)(fd, buf, count, datatype, file_ptr_type, offset, &base_status,
                                   error_code);
  if (*error_code != MPI_SUCCESS)
    return;
  MPI_Get_elements_x(&base_status, MPI_BYTE, &bytes);
  MPIR_Status_set_bytes(status, datatype, bytes);
  f->door->missed(f->handle, buf, offset, length, bytes, ticket,
                  ticket == FORERUN_UNTIMED ? 0 : ad_forerun_now_ns() - start);
}

void ad_forerun_ReadContig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                           int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                           int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  ADIO_Offset length = ad_forerun_bytes_of(count, datatype);
  forerun_range range;
  uint64_t start;

  if (bypassed(fd) || length == 0) {
    (*f->base->ADIOI_xxx_ReadContig)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                     error_code);
    return;
  }
  if (file_ptr_type == ADIO_INDIVIDUAL)
    offset = fd->fp_ind;
  range.offset = offset;
  range.length = length;
  start = ad_forerun_read_begins(f);
  read_contig(fd, buf, count, datatype, file_ptr_type, offset, length, status, error_code);
  ad_forerun_read_ends(f, FORERUN_CONTIGUOUS, &range, 1, start);
}

void ad_forerun_ReadStrided(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                            int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                            int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  ad_forerun_request r;
  uint64_t start;

  if (bypassed(fd) || ad_forerun_bytes_of(count, datatype) == 0) {
    (*f->base->ADIOI_xxx_ReadStrided)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                      error_code);
    return;
  }
  start = ad_forerun_read_begins(f);
  ad_forerun_request_get(fd, count, datatype, file_ptr_type, offset, &r);
  if (r.count > 0 && ad_forerun_serve(fd, buf, datatype, &r)) {
    ad_forerun_here.library_served = 1;
    ad_forerun_served(fd, count, datatype, file_ptr_type, &r, status, error_code);
  } else {
    (*f->base->ADIOI_xxx_ReadStrided)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                      error_code);
  }
  ad_forerun_request_ends(fd, FORERUN_STRIDED, &r, start);
  ad_forerun_request_free(&r);
}

void ad_forerun_IreadContig(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                            int file_ptr_type, ADIO_Offset offset, ADIO_Request *request,
                            int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  ADIO_Offset length = ad_forerun_bytes_of(count, datatype);
  int served = 0;
  size_t got = 0;
  uint64_t ticket = FORERUN_UNTOLD; /* does not wait here */

  if (file_ptr_type == ADIO_INDIVIDUAL)
    offset = fd->fp_ind;
  if (!bypassed(fd) && length > 0) {
    served = f->door->read(f->handle, buf, offset, length, &got, &ticket);
    if (!served)
      f->door->started(f->handle, offset, length);
  }
  if (served && got == (size_t)length) {
    if (file_ptr_type == ADIO_INDIVIDUAL)
      fd->fp_ind += length;
    fd->fp_sys_posn = -1;
    *error_code = MPI_SUCCESS;
    MPIO_Completed_request_create(&fd, length, error_code, request);
    return;
  }
  (*f->base->ADIOI_xxx_IreadContig)(fd, buf, count, datatype, file_ptr_type, offset, request,
                                    error_code);
}
