/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: where a search ends says what is read, whether the loop is left by break, by its
 * condition, or by return. The slicer must keep these exits, although they need what is read: the
 * keys are read once, the loops after that read nothing. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBlocks = 96, kLength = 64 };

static int keys[kBlocks];

static int found(int id) {
  for (int k = 0; k < kBlocks; k++) {
    if (keys[k] == id)
      return k;
  }
  return 0;
}

static MPI_Offset placeOf(long block) {
  return (MPI_Offset)sizeof keys + block * kLength * (MPI_Offset)sizeof(double);
}

static void make(const char *name) {
  FILE *file = fopen(name, "wb");
  double values[kLength];
  for (int k = 0; k < kBlocks; k++)
    keys[k] = k * 41 % kBlocks;
  fwrite(keys, sizeof keys, 1, file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b + i * 0.01;
    fwrite(values, sizeof values, 1, file);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    make("search-by-loop.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "search-by-loop.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at(file, 0, keys, kBlocks, MPI_INT, MPI_STATUS_IGNORE);
  double values[kLength], sum = 0;
  for (int id = rank; id < kBlocks; id += size) {
    int k;
    for (k = 0; k < kBlocks; k++) {
      if (keys[k] == id)
        break;
    }
    MPI_File_read_at(file, placeOf(k), values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 3);
    k = 0;
    while (k < kBlocks && keys[k] != (id + 7) % kBlocks)
      k++;
    MPI_File_read_at(file, placeOf(k), values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 5);
    MPI_File_read_at(file, placeOf(found((id + 13) % kBlocks)), values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 7);
  }
  MPI_File_close(&file);
  double all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("search-by-loop %.6f\n", all);
  MPI_Finalize();
  return 0;
}
