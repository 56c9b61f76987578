/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: two files open at once, in an array of handles, one of them read through a pointer.
 * The slicer must keep the handles apart. */
#include <mpi.h>
#include <stdio.h>

enum { kRow = 16, kRows = 24 };

static double dot(MPI_File left, MPI_File *right, int row, int column) {
  double a[kRow], b[kRow], sum = 0;
  MPI_File_read_at(left, row * (MPI_Offset)sizeof a, a, kRow, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_read_at(*right, 8 + column * (MPI_Offset)sizeof b, b, kRow, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kRow; i++)
    sum += a[i] * b[i];
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  const char *paths[2] = {"two-files.left", "two-files.right"};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File files[2];
  for (int f = 0; f < 2; f++) {
    MPI_File_open(MPI_COMM_WORLD, paths[f], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &files[f]);
    for (int i = 0; rank == 0 && i < kRow * kRows + f; i++) {
      double value = (i * (f + 3) + f) % 7;
      MPI_File_write(files[f], &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&files[f]);
  }

  for (int f = 1; f >= 0; f--)
    MPI_File_open(MPI_COMM_WORLD, paths[f], MPI_MODE_RDONLY, MPI_INFO_NULL, &files[f]);
  double sum = 0, total = 0;
  for (int i = rank; i < kRows; i += 2)
    for (int j = 0; j < kRows; j += 5)
      sum += dot(files[0], &files[1], i, (i + j) % kRows) * (j + 1);
  MPI_File_close(&files[0]);
  MPI_File_close(&files[1]);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("two-files %.0f\n", total);
  MPI_Finalize();
  return 0;
}
