/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a queue of what is read next lies in pieces of a static array, which is used again from
 * its beginning when it is full. The slicer must give the pre-execution thread an array of its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kNodes = 300, kLength = 32 };

static char arena[1 << 14];
static size_t used;

static void *take(size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (used + bytes > sizeof arena)
    used = 0;
  void *piece = arena + used;
  used += bytes;
  return piece;
}

struct Item {
  int node;
  struct Item *next;
};

static MPI_Offset placeOf(int node) {
  return node * (MPI_Offset)(2 * sizeof(int) + kLength * sizeof(double));
}

static struct Item *itemOf(int node) {
  struct Item *item = take(sizeof *item);
  item->node = node;
  item->next = NULL;
  return item;
}

static void make(const char *name) {
  FILE *file = fopen(name, "wb");
  for (int node = 0; node < kNodes; node++) {
    const int children[2] = {2 * node + 1, 2 * node + 2};
    double values[kLength];
    for (int i = 0; i < kLength; i++)
      values[i] = node + i * 0.5;
    fwrite(children, sizeof children, 1, file);
    fwrite(values, sizeof values, 1, file);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    make("arena-of-an-array.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "arena-of-an-array.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  struct Item *first = itemOf(0), *last = first;
  double sum = 0;
  for (; first; first = first->next) {
    int children[2];
    double values[kLength];
    MPI_File_read_at(file, placeOf(first->node), children, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, placeOf(first->node) + (MPI_Offset)sizeof children, values, kLength,
                     MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 4 + rank);
    for (int i = 0; i < 2; i++)
      if (children[i] < kNodes) {
        last->next = itemOf(children[i]);
        last = last->next;
      }
  }
  MPI_File_close(&file);
  double total;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("arena-of-an-array %.3f\n", total);
  MPI_Finalize();
  return 0;
}
