/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: constant tables: of numbers, of structures, of strings, of pointers to tables.
 * The slicer must use the tables where they are: nothing writes them, no copy is needed. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
static const int squares[] = {1, 4, 9, 16, 25, 36, 49, 64};
static const int *const tables[] = {primes, squares, primes + 4};
static const struct {
  const char *name;
  short table, entries;
} plans[] = {{"small", 0, 4}, {"square", 1, 8}, {"tail", 2, 4}, {"all", 0, 8}};

enum { kLength = 15, kBlocks = 80 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "const-table.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 5 + i) % 37;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "const-table.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (size_t p = 0; p < sizeof plans / sizeof *plans; p++) {
    const int *table = tables[plans[p].table];
    for (int e = 0; e < plans[p].entries; e++) {
      int count = (int)strlen(plans[p].name) + 8;
      MPI_File_read_at(file, (table[e] + rank) * (MPI_Offset)sizeof values, values, count, MPI_INT,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < count; i++)
        sum += values[i] * squares[i % 8];
    }
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("const-table %ld\n", total);
  MPI_Finalize();
  return 0;
}
