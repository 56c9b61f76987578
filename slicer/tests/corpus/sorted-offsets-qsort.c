/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: qsort and bsearch call back into the program with pointers into the table.
 * The slicer must clone the comparison and hand its clone over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct Item {
  int key, block;
};

enum { kItems = 30, kLength = 27 };

static long comparisons;

static int byKey(const void *a, const void *b) {
  const struct Item *first = a, *second = b;
  comparisons++;
  return (first->key > second->key) - (first->key < second->key);
}

static int byBlock(const void *a, const void *b) {
  return ((const struct Item *)a)->block - ((const struct Item *)b)->block;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "sorted-offsets-qsort.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kItems; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 3 + i * i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Item items[kItems];
  for (int i = 0; i < kItems; i++)
    items[i] = (struct Item){i * 17 % 31, i};
  qsort(items, kItems, sizeof *items, rank % 2 ? byBlock : byKey);
  MPI_File_open(MPI_COMM_WORLD, "sorted-offsets-qsort.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < kItems; i += 2) {
    MPI_File_read_at(file, items[i].block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] * (i + 1);
  }
  qsort(items, kItems, sizeof *items, byKey);
  for (int key = 0; key < 31; key += 4) {
    struct Item wanted = {key, 0}, *found = bsearch(&wanted, items, kItems, sizeof wanted, byKey);
    if (!found)
      continue;
    MPI_File_read_at(file, found->block * (MPI_Offset)sizeof values, values, 5, MPI_INT,
                     MPI_STATUS_IGNORE);
    sum += values[4];
  }
  MPI_File_close(&file);
  sum += comparisons > 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sorted-offsets-qsort %ld\n", total);
  MPI_Finalize();
  return 0;
}
