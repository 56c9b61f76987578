/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: many small files, each opened, read and closed, by each rank alone.
 * The slicer must keep the names that are put together, and take each handle from the open. */
#include <mpi.h>
#include <stdio.h>

enum { kFiles = 10, kLength = 40 };

static void nameOf(char *name, size_t size, int rank, int number) {
  snprintf(name, size, "open-close-many.%d.%02d", rank, number);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength] = {0};
  char name[64];
  MPI_File file;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int f = 0; f < kFiles; f++) {
    for (int i = 0; i < kLength; i++)
      values[i] = f * 3 + i + rank;
    nameOf(name, sizeof name, rank, f);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
  }

  long sum = 0, total = 0;
  for (int f = kFiles - 1; f >= 0; f -= 1 + rank % 2) {
    nameOf(name, sizeof name, rank, f);
    if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file))
      continue;
    MPI_File_read(file, values, 10 + f, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, f * 4, values + 20, 10, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < 30; i++)
      sum += values[i] * (f + 1);
    MPI_File_close(&file);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("open-close-many %ld\n", total);
  MPI_Finalize();
  return 0;
}
