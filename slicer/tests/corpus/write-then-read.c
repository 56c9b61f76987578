/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a rank reads what it wrote a moment before, through the same handle.
 * The slicer must make dirty ranges of the writes, so that nothing is prefetched too early. */
#include <mpi.h>
#include <stdio.h>

enum { kRow = 32, kRows = 20 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, row[kRow];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Offset base = rank * kRows * (MPI_Offset)sizeof row;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "write-then-read.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  for (int r = 0; r < kRows; r++) {
    for (int i = 0; i < kRow; i++)
      row[i] = rank + r + i;
    MPI_File_write_at(file, base + r * (MPI_Offset)sizeof row, row, kRow, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  long sum = 0, total = 0;
  for (int pass = 0; pass < 3; pass++)
    for (int r = 1; r < kRows; r++) { /* each row becomes the sum of itself and the one before */
      int before[kRow];
      MPI_File_read_at(file, base + (r - 1) * (MPI_Offset)sizeof row, before, kRow, MPI_INT,
                       MPI_STATUS_IGNORE);
      MPI_File_read_at(file, base + r * (MPI_Offset)sizeof row, row, kRow, MPI_INT,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < kRow; i++) {
        row[i] = (row[i] + before[i]) % 10007;
        sum += row[i];
      }
      MPI_File_write_at(file, base + r * (MPI_Offset)sizeof row, row, kRow, MPI_INT,
                        MPI_STATUS_IGNORE);
    }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("write-then-read %ld\n", total);
  MPI_Finalize();
  return 0;
}
