/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a list that realloc moves while it grows, with pointers into it.
 * The slicer must follow the list from the old block of memory to the new one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 22, kBlocks = 70 };

struct List {
  int *items, count, room;
};

static void append(struct List *list, int item) {
  if (list->count == list->room) {
    list->room = list->room ? list->room * 2 : 2;
    int *items = realloc(list->items, (size_t)list->room * sizeof *items);
    if (!items)
      abort();
    list->items = items;
  }
  list->items[list->count++] = item;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "realloc-growing.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * i % 29;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct List list = {0}, results = {0};
  for (int i = 2; i < kBlocks; i++) { /* the primes, by the primes before them */
    int prime = 1;
    for (int p = 0, *primes = list.items; p < list.count; p++)
      if (i % primes[p] == 0) {
        prime = 0;
        break;
      }
    if (prime)
      append(&list, i);
  }
  MPI_File_open(MPI_COMM_WORLD, "realloc-growing.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int i = rank % 4; i < list.count; i++) {
    MPI_File_read_at(file, list.items[i] * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    int sum = 0;
    for (int k = 0; k < kLength; k++)
      sum += values[k] * (i + k);
    append(&results, sum);
  }
  MPI_File_close(&file);
  long sum = 0, total = 0;
  for (int i = 0; i < results.count; i++)
    sum += results.items[i] * (i + 1L);
  free(list.items);
  free(results.items);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("realloc-growing %ld\n", total);
  MPI_Finalize();
  return 0;
}
