/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: offsets from random_r, whose state points to a table that the program gives to it.
 * The slicer must draw the same numbers from a table of the thread's own, also of one that ends where
 * its memory ends. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 28, kBlocks = 90 };

struct Generator {
  struct random_data state;
  char table[64], other[32];
};

static struct random_data exact;
static char exactTable[64];

static int drawn(struct random_data *from, int below) {
  int32_t number;
  random_r(from, &number);
  return number % below;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "random-r-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 7 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Generator *generator = malloc(sizeof *generator);
  memset(generator, 0, sizeof *generator);
  initstate_r(11u + (unsigned)rank, generator->table, sizeof generator->table, &generator->state);
  MPI_File_open(MPI_COMM_WORLD, "random-r-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < 60; i++) {
    if (i == 20)
      initstate_r(3, generator->other, sizeof generator->other, &generator->state);
    if (i == 40)
      setstate_r(generator->table, &generator->state);
    if (i == 50)
      srandom_r(29, &generator->state);
    MPI_File_read_at(file, drawn(&generator->state, kBlocks) * (MPI_Offset)sizeof values, values,
                     kLength, MPI_INT, MPI_STATUS_IGNORE);
    sum += values[drawn(&generator->state, kLength)];
  }
  initstate_r(5, exactTable, sizeof exactTable, &exact);
  for (int i = 0; i < 30; i++) {
    MPI_File_read_at(file, drawn(&exact, kBlocks) * (MPI_Offset)sizeof values, values, kLength,
                     MPI_INT, MPI_STATUS_IGNORE);
    sum += values[drawn(&exact, kLength)];
  }
  MPI_File_close(&file);
  free(generator);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("random-r-offsets %ld\n", total);
  MPI_Finalize();
  return 0;
}
