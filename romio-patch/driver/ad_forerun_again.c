/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Where a file is closed, some of the program's reads are made once more by the file system's own
 * functions, one after the other, as in a program without a library: what they cost then is what
 * reads would have cost. No model of two-phase reads, of data sieving, of locks or of a network says
 * it as well. Collective reads are made once more by all processes together, if all ask what they
 * cost; nobody waits for another one where nothing was read collectively.
 */

#include "ad_forerun_internal.h"

#include <limits.h>
#include <string.h>

/* Sets a view in which the ranges are all there is; the file is about to be closed. Returns the
 * number of their bytes and where the first of them is in the view; 0: they cannot be read so. */
static int view_of(ADIO_File fd, const forerun_range *ranges, size_t count, ADIO_Offset *offset) {
  MPI_Datatype type = MPI_BYTE;
  uint64_t bytes = 0;
  MPI_Aint *displacements;
  int *lengths, error_code = MPI_SUCCESS;
  size_t i;

  for (i = 0; i < count; i++)
    bytes += ranges[i].length;
  if (bytes > INT_MAX || count > INT_MAX)
    return 0;
  *offset = count == 1 ? (ADIO_Offset)ranges[0].offset : 0;
  if (count > 1) {
    displacements = (MPI_Aint *)ADIOI_Malloc(count * sizeof(MPI_Aint));
    lengths = (int *)ADIOI_Malloc(count * sizeof(int));
    for (i = 0; i < count; i++) {
      displacements[i] = (MPI_Aint)ranges[i].offset;
      lengths[i] = (int)ranges[i].length;
    }
    MPI_Type_create_hindexed((int)count, lengths, displacements, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    ADIOI_Free(lengths);
    ADIOI_Free(displacements);
  }
  ADIO_Set_view(fd, 0, MPI_BYTE, type, MPI_INFO_NULL, &error_code);
  if (type != MPI_BYTE)
    MPI_Type_free(&type);
  return error_code == MPI_SUCCESS ? (int)bytes : 0;
}

/* Makes a call once more, by the file system's own functions. Returns how long it took, or 0 if it
 * failed. */
static uint64_t make_again(ADIO_File fd, forerun_form form, const forerun_range *ranges,
                           size_t count, char *buf) {
  ADIO_Offset offset = 0;
  ADIO_Status status;
  uint64_t start, ns;
  int bytes = view_of(fd, ranges, count, &offset), error_code = MPI_SUCCESS;

  memset(buf, 0, bytes); /* a page fault is no cost of the read */
  start = ad_forerun_now_ns();
  if (form == FORERUN_COLLECTIVE)
    ADIO_ReadStridedColl(fd, buf, bytes, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, &status,
                         &error_code);
  else if (count > 1)
    ADIO_ReadStrided(fd, buf, bytes, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, &status, &error_code);
  else
    ADIO_ReadContig(fd, buf, bytes, MPI_BYTE, ADIO_EXPLICIT_OFFSET, offset, &status, &error_code);
  ns = ad_forerun_now_ns() - start;
  return error_code == MPI_SUCCESS ? MPL_MAX(ns, 1) : 0;
}

/* The next calls of that form that are to be made once more, and memory for the largest. */
struct calls {
  size_t number; /* 0: there are none, or no memory for them */
  char *buf;
};

static struct calls next_calls(ADIO_File fd, forerun_samples *samples, forerun_form form) {
  const forerun_costs *costs = fd->forerun->costs;
  struct calls calls = {costs->next(samples, form), NULL};
  const forerun_range *ranges;
  size_t count, n, i, most = 1, bytes;

  for (n = 0; n < calls.number; n++) {
    costs->get(samples, n, &ranges, &count);
    for (bytes = 0, i = 0; i < count; i++)
      bytes += ranges[i].length;
    most = MPL_MAX(most, bytes);
  }
  if (calls.number > 0)
    calls.buf = MPL_malloc(most, MPL_MEM_IO);
  if (!calls.buf)
    calls.number = 0;
  return calls;
}

/* Makes them one after the other. Returns 0 if one failed. */
static int make_calls(ADIO_File fd, forerun_samples *samples, forerun_form form,
                      const struct calls *calls) {
  const forerun_costs *costs = fd->forerun->costs;
  const forerun_range *ranges;
  size_t count, n;
  uint64_t ns, sum = 0;
  int ok = 1;

  for (n = 0; n < calls->number; n++) {
    costs->get(samples, n, &ranges, &count);
    ns = make_again(fd, form, ranges, count, calls->buf);
    ok = ok && ns > 0;
    sum += ns;
  }
  if (ok)
    costs->took(samples, sum);
  return ok;
}

static void alone_again(ADIO_File fd, forerun_samples *samples, forerun_form form) {
  struct calls calls;
  int ok;

  do {
    calls = next_calls(fd, samples, form);
    ok = calls.number > 0 && make_calls(fd, samples, form, &calls);
    MPL_free(calls.buf);
  } while (ok);
}

/* About how many bytes each collective read asks the file system for, on all processes: where what
 * they read is interleaved, all that lies between the first and the last byte, and else what each of
 * them reads, as in ADIOI_GEN_ReadStridedColl. Returns 0 if they do not agree on what was read. */
static int weigh_together(ADIO_File fd, forerun_samples *samples) {
  enum { BEGIN, END, BYTES, INTERLEAVED, FIGURES };
  const forerun_costs *costs = fd->forerun->costs;
  int64_t mine[FORERUN_MOST_KEPT][FIGURES] = {{0}}, all[FORERUN_MOST_KEPT][FIGURES] = {{0}};
  int64_t ends[FORERUN_MOST_KEPT], before[FORERUN_MOST_KEPT] = {0};
  int number[2] = {0, 0}, least[2], rank, procs, i;
  forerun_extent extent;

  while (number[0] < FORERUN_MOST_KEPT && costs->kept(samples, number[0], &extent)) {
    mine[number[0]][BEGIN] = -extent.begin;
    mine[number[0]][END] = ends[number[0]] = extent.end;
    mine[number[0]++][BYTES] = extent.bytes;
  }
  number[1] = -number[0];
  MPI_Allreduce(number, least, 2, MPI_INT, MPI_MIN, fd->comm);
  if (least[0] != -least[1])
    return 0;
  MPI_Comm_rank(fd->comm, &rank);
  MPI_Comm_size(fd->comm, &procs);
  MPI_Sendrecv(ends, number[0], MPI_INT64_T, rank + 1 < procs ? rank + 1 : MPI_PROC_NULL, 0, before,
               number[0], MPI_INT64_T, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, fd->comm,
               MPI_STATUS_IGNORE);
  for (i = 0; i < number[0]; i++)
    mine[i][INTERLEAVED] = -mine[i][BEGIN] < before[i] && mine[i][BYTES] > 0;
  MPI_Allreduce(mine, all, number[0] * FIGURES, MPI_INT64_T, MPI_MAX, fd->comm);
  for (i = 0; i < number[0]; i++)
    costs->weigh(samples, i,
                 all[i][BYTES] != FORERUN_NOT_AGAIN &&
                         (fd->hints->cb_read == ADIOI_HINT_ENABLE ||
                          (fd->hints->cb_read == ADIOI_HINT_AUTO && all[i][INTERLEAVED]))
                     ? MPL_MAX(all[i][END] + all[i][BEGIN], 0)
                     : all[i][BYTES]);
  return 1;
}

/* As long as every process has calls to make. They agree on some at a time: between two reads
 * of the program there is no agreement either, by which all would begin each at the same moment. */
static void together_again(ADIO_File fd, forerun_samples *samples) {
  struct calls calls;
  int ok = weigh_together(fd, samples), all = ok;

  while (all) {
    calls = next_calls(fd, samples, FORERUN_COLLECTIVE);
    ok = ok && calls.number > 0;
    MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, fd->comm);
    if (all)
      ok = make_calls(fd, samples, FORERUN_COLLECTIVE, &calls);
    MPL_free(calls.buf);
  }
}

void ad_forerun_read_again(ADIO_File fd, forerun_samples *samples) {
  struct ADIOI_Forerun *f = fd->forerun;

  alone_again(fd, samples, FORERUN_CONTIGUOUS);
  alone_again(fd, samples, FORERUN_STRIDED);
  if (f->costs_everywhere && f->together)
    together_again(fd, samples);
  f->costs->end(samples);
}
