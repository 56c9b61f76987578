/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: continue in nested loops and in a switch decides which blocks are read.
 * The slicer must keep the continues and what they depend on, and leave out the others. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 17, kSide = 12 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "continue-filter.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kSide * kSide; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b ^ (i * 3);
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "continue-filter.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, negative = 0, total = 0;
  for (int row = 0; row < kSide; row++) {
    if (row == 5 + rank)
      continue;
    for (int column = 0; column < kSide; column++) {
      switch ((row + column) % 4) {
      case 0:
        continue;
      case 1:
        if (row > column)
          break;
        continue;
      default:
        break;
      }
      MPI_File_read_at(file, (row * kSide + column) * (MPI_Offset)sizeof values, values, kLength,
                       MPI_INT, MPI_STATUS_IGNORE);
      for (int i = 0; i < kLength; i++) {
        if (values[i] % 2) {
          negative--;
          continue;
        }
        sum += values[i];
      }
    }
  }
  MPI_File_close(&file);
  sum += negative;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("continue-filter %ld\n", total);
  MPI_Finalize();
  return 0;
}
