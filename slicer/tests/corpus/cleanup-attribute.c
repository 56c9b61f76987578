/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what __attribute__((cleanup)) frees and closes belongs to the main thread alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define OWNED __attribute__((cleanup(release)))

enum { kBlock = 30 };

static void release(void *pointer) { free(*(void **)pointer); }

static void leave(MPI_File *file) {
  if (*file != MPI_FILE_NULL)
    MPI_File_close(file);
}

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (int i = 0; i < 40 * kBlock; i++)
    fwrite(&i, sizeof i, 1, out);
  fclose(out);
}

static long readPart(int part) {
  __attribute__((cleanup(leave))) MPI_File file = MPI_FILE_NULL;
  OWNED long *offsets = malloc(8 * sizeof *offsets);
  OWNED int *values = malloc(kBlock * sizeof *values);
  long sum = 0;
  if (!offsets || !values)
    return 0;
  if (MPI_File_open(MPI_COMM_WORLD, "cleanup-attribute.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
    return 0;
  for (int i = 0; i < 8; i++)
    offsets[i] = (part * 8L + i * 3 % 8) * kBlock * (long)sizeof *values;
  for (int i = 0; i < 8; i++) {
    MPI_File_read_at(file, offsets[i], values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    sum += values[i];
  }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  long sum = 0, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("cleanup-attribute.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  for (int part = 0; part < 5; part++)
    sum += readPart(part) * (rank + 1);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("cleanup-attribute %ld\n", total);
  MPI_Finalize();
  return 0;
}
