/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one helper collects what is to be read and what comes of it, in lists that grow. What it
 * does for the one is not done for the other: the pre-execution thread computes no results.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 2048, kBlocks = 64, kStepUs = 3000 };

struct list {
  double *items;
  int count, room;
};

static void push(struct list *l, double item) {
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 4;
    l->items = realloc(l->items, (size_t)l->room * sizeof *l->items);
  }
  l->items[l->count++] = item;
}

static double result(const double *values) {
  double sum = 0;
  for (int i = 0; i < kLength; i++)
    sum += values[i] / (1 + i);
  usleep(kStepUs); /* stands for more of that */
  return sum;
}

static void make(const char *name, int rank, int ranks, double *values) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 31 + i) % 97;
    MPI_File_write_at(file, b * (MPI_Offset)kLength * 8, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double values[kLength], sum = 0, all = 0;
  make("growing-lists.dat", rank, ranks, values);

  struct list wanted = {NULL, 0, 0}, results = {NULL, 0, 0};
  for (int b = 0; b < kBlocks; b++)
    push(&wanted, (b * 37 + rank) % kBlocks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "growing-lists.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int i = 0; i < wanted.count; i++) {
    MPI_File_read_at(file, (MPI_Offset)wanted.items[i] * kLength * 8, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    push(&results, result(values));
    if (i % 16 == 0 && wanted.count < 2 * kBlocks)
      push(&wanted, (i * 13) % kBlocks);
  }
  MPI_File_close(&file);
  for (int i = 0; i < results.count; i++)
    sum += results.items[i];
  free(wanted.items);
  free(results.items);

  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("growing-lists %.6f\n", all);
    MPI_File_delete("growing-lists.dat", MPI_INFO_NULL);
  }
  MPI_Finalize();
  return 0;
}
