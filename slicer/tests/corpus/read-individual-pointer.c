/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: reads at the individual file pointer, which moves by what was read.
 * The slicer must keep every read of the file in order, also those whose bytes nobody uses. */
#include <mpi.h>
#include <stdio.h>

static double consume(MPI_File file, int count) {
  double values[64], sum = 0;
  MPI_File_read(file, values, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

static void skip(MPI_File file, int count) {
  double ignored[64];
  MPI_File_read(file, ignored, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-individual-pointer.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; rank == 0 && i < 800; i++) {
    double value = i % 41 + 0.5;
    MPI_File_write(file, &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-individual-pointer.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &file);
  double sum = 0, total = 0;
  MPI_File_seek(file, rank * 24, MPI_SEEK_SET);
  for (int i = 1; i < 18; i++) {
    sum += consume(file, i * 2);
    if (i % 3 == 0)
      skip(file, i);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-individual-pointer %.1f\n", total);
  MPI_Finalize();
  return 0;
}
