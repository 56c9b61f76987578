/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: rows that are read, changed and written back where they were, several of them in a block of
 * the storage, sweep after sweep. What this process has written it reads from the cache, and a write
 * takes none of the neighbours away that were announced.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kRow = 150, kRows = 96, kSweeps = 3, kRowUs = 2000 };

static MPI_Offset placeOf(int row, int rank) {
  return ((MPI_Offset)rank * kRows + row) * kRow * (MPI_Offset)sizeof(double);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  double row[kRow], sum = 0, all = 0;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "rows-in-place.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  for (int r = 0; r < kRows; r++) {
    for (int i = 0; i < kRow; i++)
      row[i] = r + i;
    MPI_File_write_at(file, placeOf(r, rank), row, kRow, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);

  for (int sweep = 0; sweep < kSweeps; sweep++)
    for (int n = 0; n < kRows; n++) {
      int r = (n * 7 + sweep) % kRows; /* not in order, so that no readahead helps */
      MPI_File_read_at(file, placeOf(r, rank), row, kRow, MPI_DOUBLE, MPI_STATUS_IGNORE);
      for (int i = 0; i < kRow; i++)
        row[i] = 0.5 * row[i] + sweep;
      usleep(kRowUs); /* stands for the program's own work */
      MPI_File_write_at(file, placeOf(r, rank), row, kRow, MPI_DOUBLE, MPI_STATUS_IGNORE);
      sum += row[n % kRow];
    }
  MPI_File_close(&file);

  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("rows-in-place %.3f\n", all);
    MPI_File_delete("rows-in-place.dat", MPI_INFO_NULL);
  }
  MPI_Finalize();
  return 0;
}
