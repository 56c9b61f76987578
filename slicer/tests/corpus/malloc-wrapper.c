/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: all memory comes from one wrapper with bookkeeping, and goes through another.
 * The slicer must tell the allocations apart by the wrapper's callers, and keep private what the
 * slice allocates; the bookkeeping may go. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 40, kBlocks = 30 };

static size_t allocated, blocks;

static void *must(void *pointer) {
  if (!pointer) {
    fprintf(stderr, "out of memory\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return pointer;
}

static void *newZeroed(size_t count, size_t size) {
  allocated += count * size;
  blocks++;
  return memset(must(malloc(count * size)), 0, count * size);
}

static void release(void *pointer) {
  if (pointer)
    blocks--;
  free(pointer);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *values = newZeroed(kLength, sizeof *values);
  MPI_Offset *offsets = newZeroed(kBlocks, sizeof *offsets);
  double *sums = newZeroed(kBlocks, sizeof *sums);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "malloc-wrapper.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 9 % 31 + i;
    offsets[b] = (b * 13 + rank) % kBlocks * kLength * (MPI_Offset)sizeof *values;
    if (rank == 0)
      MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "malloc-wrapper.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
    MPI_File_read_at(file, offsets[b], values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sums[b] += values[i] * (i % 7);
  }
  MPI_File_close(&file);
  double sum = (double)allocated, total = 0;
  for (int b = 0; b < kBlocks; b++)
    sum += sums[b] * b;
  release(sums);
  release(offsets);
  release(values);
  sum += (double)blocks;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("malloc-wrapper %.0f\n", total);
  MPI_Finalize();
  return 0;
}
