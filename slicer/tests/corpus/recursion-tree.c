/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a recursive function reads a node of an implicit binary tree at each level.
 * The slicer must clone it once, calling itself, and leave out the sums on the way back. */
#include <mpi.h>
#include <stdio.h>

enum { kNode = 32, kNodes = 127 };

static MPI_File file;

static long walk(int node, int skip) {
  if (node >= kNodes)
    return 0;
  if (node % 11 == skip)
    return -node;
  int values[kNode];
  MPI_File_read_at(file, (MPI_Offset)node * (MPI_Offset)sizeof values, values, kNode, MPI_INT,
                   MPI_STATUS_IGNORE);
  long sum = 0;
  for (int i = 0; i < kNode; i++)
    sum += values[i];
  long left = walk(2 * node + 1, skip);
  long right = walk(2 * node + 2, skip);
  return sum + left - right;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "recursion-tree.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int n = rank; n < kNodes; n += ranks) {
    int values[kNode];
    for (int i = 0; i < kNode; i++)
      values[i] = n * n + i;
    MPI_File_write_at(file, (MPI_Offset)n * (MPI_Offset)sizeof values, values, kNode, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "recursion-tree.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = walk(0, 3 + rank), total = 0;
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("recursion-tree %ld\n", total);
  MPI_Finalize();
  return 0;
}
