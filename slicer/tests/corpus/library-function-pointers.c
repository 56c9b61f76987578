/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: memory, copies and reads by way of pointers to functions of libraries.
 * What a pointer can only be is called as if by its name: malloc's stand-in, and a read that is
 * announced. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Memory {
  void *(*get)(size_t);
  void *(*copy)(void *, const void *, size_t);
  void (*release)(void *);
};

static const struct Memory memory = {malloc, memcpy, free};

enum { kBlocks = 24, kBlock = 50 };

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (int i = 0; i < kBlocks * kBlock; i++)
    fwrite(&i, sizeof i, 1, out);
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, values[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    makeInput("library-function-pointers.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  long order[kBlocks];
  for (int b = 0; b < kBlocks; b++)
    order[b] = b * 7 % kBlocks;
  long *offsets = memory.get(sizeof order);
  memory.copy(offsets, order, sizeof order);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "library-function-pointers.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    long at = offsets[b] * kBlock * (long)sizeof(int);
    (b % 2 ? MPI_File_read_at_all : MPI_File_read_at)(file, at, values, kBlock, MPI_INT,
                                                      MPI_STATUS_IGNORE);
    sum += values[b % kBlock] * (rank + 1);
  }
  MPI_File_close(&file);
  memory.release(offsets);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("library-function-pointers %ld\n", total / size);
  MPI_Finalize();
  return 0;
}
