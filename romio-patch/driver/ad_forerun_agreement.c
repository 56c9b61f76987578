/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Collective reads: the processes agree on whether all of them have been served.
 */

#include "ad_forerun_internal.h"

#include <limits.h>

/* After so many failed agreements in a row, only every RETRY_EVERY-th collective read
 * asks for one. The same on all processes, as the outcome is. */
enum { PATIENCE = 4, RETRY_EVERY = 16 };

/* Whether it is worth asking the other processes. The same answer on all. */
static int agreement_is_due(ADIO_File fd) {
  struct ADIOI_Forerun *f = fd->forerun;

  if (!f->everywhere || fd->atomicity || fd->hints->cb_read == ADIOI_HINT_DISABLE)
    return 0;
  return f->refusals < PATIENCE || ++f->calls_since >= RETRY_EVERY;
}

/* serving_ns: how long this process took to serve itself, or to find that it cannot. Where
 * somebody asks what reads cost, the longest such time is found, too: waiting for that is no
 * waiting for a process that comes late. */
static int agree(ADIO_File fd, int mine, uint64_t serving_ns) {
  struct ADIOI_Forerun *f = fd->forerun;
  int own[2] = {mine, 0}, all[2] = {0, 0};
  int serving_us = (int)MPL_MIN(serving_ns / 1000, INT_MAX);
  uint64_t start = f->costs_everywhere ? ad_forerun_now_ns() : 0, waited, for_serving;

  own[1] = -serving_us;
  MPI_Allreduce(own, all, f->costs_everywhere ? 2 : 1, MPI_INT, MPI_MIN, fd->comm);
  f->refusals = all[0] ? 0 : f->refusals + 1;
  f->calls_since = 0;
  if (start) {
    waited = ad_forerun_now_ns() - start;
    for_serving = (uint64_t)(-all[1] - serving_us) * 1000;
    ad_forerun_here.waited_ns = waited > for_serving ? waited - for_serving : 0;
  }
  return all[0];
}

/* A process sees its own writes at once, also in a collective read; but a write of
 * one process takes its bytes out of that process's copies only, until the next
 * synchronisation. So where the file can be written, what is read for others comes
 * from the file system. */
static int writable(ADIO_File fd) { return (fd->access_mode & (ADIO_RDWR | ADIO_WRONLY)) != 0; }

void ADIOI_Forerun_aggregator_read(ADIO_File fd, void *buf, int count, ADIO_Offset offset,
                                   ADIO_Status *status, int *error_code) {
  int bypass = writable(fd);

  ad_forerun_here.reads_bypass += bypass;
  ADIO_ReadContig(fd, buf, count, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, status, error_code);
  ad_forerun_here.reads_bypass -= bypass;
}

/* Where every process has been served there is nothing to exchange. Each serves
 * itself first and votes then: so no process can fail after the vote, and a read
 * at the end of the file always is the driver's. */
void ad_forerun_ReadStridedColl(ADIO_File fd, void *buf, int count, MPI_Datatype datatype,
                                int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                                int *error_code) {
  struct ADIOI_Forerun *f = fd->forerun;
  int bypass = writable(fd) && fd->hints->cb_pfr != ADIOI_HINT_DISABLE;
  int asks = agreement_is_due(fd), ok = 0;
  uint64_t start = fd->atomicity ? 0 : ad_forerun_read_begins(f), before;
  ad_forerun_request r;

  f->together |= !fd->atomicity;
  if (asks || start)
    ad_forerun_request_get(fd, count, datatype, file_ptr_type, offset, &r);
  if (asks) {
    before = f->costs_everywhere ? ad_forerun_now_ns() : 0;
    ok = ad_forerun_serve(fd, buf, datatype, &r);
    ok = agree(fd, ok, before ? ad_forerun_now_ns() - before : 0);
    ad_forerun_here.library_served = ok;
    if (ok)
      ad_forerun_served(fd, count, datatype, file_ptr_type, &r, status, error_code);
  }
  if (!ok) {
    ad_forerun_here.reads_bypass += bypass; /* persistent file realms: all of it is for others */
    (*f->base->ADIOI_xxx_ReadStridedColl)(fd, buf, count, datatype, file_ptr_type, offset, status,
                                          error_code);
    ad_forerun_here.reads_bypass -= bypass;
  }
  if (!fd->atomicity)
    ad_forerun_request_ends(fd, FORERUN_COLLECTIVE, &r, start);
  if (asks || start)
    ad_forerun_request_free(&r);
}
