/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: collective reads at explicit offsets.
 * The slicer must turn each into a prefetch of this rank's part alone. */
#include <mpi.h>
#include <stdio.h>

enum { kRow = 64, kRows = 32 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  float row[kRow];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-at-all.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int r = 0; rank == 0 && r < kRows; r++) {
    for (int i = 0; i < kRow; i++)
      row[i] = (float)((r + 1) * i % 32);
    MPI_File_write_at(file, r * (MPI_Offset)sizeof row, row, kRow, MPI_FLOAT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-at-all.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int width = kRow / ranks;
  double sum = 0, total = 0;
  for (int r = 0; r < kRows; r++) {
    MPI_Offset offset = r * (MPI_Offset)sizeof row + rank * width * (MPI_Offset)sizeof *row;
    MPI_File_read_at_all(file, offset, row, width, MPI_FLOAT, MPI_STATUS_IGNORE);
    for (int i = 0; i < width; i++)
      sum += row[i] * (float)(r + i);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-at-all %.0f\n", total);
  MPI_Finalize();
  return 0;
}
