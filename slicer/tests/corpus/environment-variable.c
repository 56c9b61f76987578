/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: getenv gives the number of rows, a table of defaults the rest.
 * The slicer may call getenv itself. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kColumns = 32 };

static int setting(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text && *text ? atoi(text) : otherwise;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int rows = setting("CORPUS_ROWS", 12), skip = setting("CORPUS_SKIP", 2);
  int *row = malloc(kColumns * sizeof *row);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "environment-variable.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int r = 0; rank == 0 && r < rows; r++) {
    for (int i = 0; i < kColumns; i++)
      row[i] = r + i * i % 19;
    MPI_File_write(file, row, kColumns, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "environment-variable.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int r = rank; r < rows; r += skip) {
    MPI_File_read_at(file, r * kColumns * (MPI_Offset)sizeof *row, row, kColumns, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kColumns; i++)
      sum += row[i] * (i % 3 + 1);
  }
  MPI_File_close(&file);
  free(row);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("environment-variable %d %ld\n", rows, total);
  MPI_Finalize();
  return 0;
}
