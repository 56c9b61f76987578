/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: offsets that come from the rank and the number of ranks alone.
 * The slicer must keep MPI_Comm_rank and MPI_Comm_size: they define by address. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, ranks, n = 1000;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int share = n / ranks, rest = n % ranks;
  int first = rank * share + (rank < rest ? rank : rest);
  int count = share + (rank < rest);
  double *values = malloc((size_t)count * sizeof *values);
  for (int i = 0; i < count; i++)
    values[i] = (first + i) % 17 - 3;

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "rank-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  MPI_File_write_at(file, first * (MPI_Offset)sizeof *values, values, count, MPI_DOUBLE,
                    MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "rank-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double largest = -1000, norm = 0, total = 0;
  for (int i = 0; i < count; i += 100) {
    int now = count - i < 100 ? count - i : 100;
    MPI_File_read_at(file, (first + i) * (MPI_Offset)sizeof *values, values, now, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < now; k++) {
      largest = values[k] > largest ? values[k] : largest;
      norm += values[k] * values[k];
    }
  }
  MPI_File_close(&file);
  free(values);
  norm += largest;
  MPI_Reduce(&norm, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("rank-offsets %.0f\n", total);
  MPI_Finalize();
  return 0;
}
