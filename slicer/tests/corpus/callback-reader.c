/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a reader that calls back with each block, and gets its context as void *.
 * The slicer must clone the callback that decides and leave out the one that sums. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 28, kBlocks = 32 };

struct Walk {
  int next, left;
};

typedef int (*Choose)(void *context);
typedef void (*Take)(void *context, const int *values, int n);

static int everyThird(void *context) {
  struct Walk *walk = context;
  if (walk->left-- == 0)
    return -1;
  walk->next = (walk->next + 3) % kBlocks;
  return walk->next;
}

static void addUp(void *context, const int *values, int n) {
  long *sum = context;
  for (int i = 0; i < n; i++)
    *sum += values[i];
}

static void forEachBlock(MPI_File file, Choose choose, void *walk, Take take, void *result) {
  int values[kLength];
  for (int block = choose(walk); block >= 0; block = choose(walk)) {
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    take(result, values, kLength);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "callback-reader.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * b % 67 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Walk walk = {rank, 27};
  long sum = 0, total = 0;
  MPI_File_open(MPI_COMM_WORLD, "callback-reader.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  forEachBlock(file, everyThird, &walk, addUp, &sum);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("callback-reader %ld\n", total);
  MPI_Finalize();
  return 0;
}
