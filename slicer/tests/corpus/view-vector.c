/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a view made of a vector: each rank sees every n-th column.
 * The slicer must hand the view over with the datatype, which the program frees early. */
#include <mpi.h>
#include <stdio.h>

enum { kRows = 40, kColumns = 16 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    FILE *out = fopen("view-vector.dat", "wb");
    for (int i = 0; i < kRows * kColumns; i++)
      fwrite(&i, sizeof i, 1, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_Datatype columns;
  int width = kColumns / ranks;
  MPI_Type_vector(kRows, width, kColumns, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "view-vector.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, rank * width * 4, MPI_INT, columns, "native", MPI_INFO_NULL);
  MPI_Type_free(&columns);
  long sum = 0, total = 0;
  for (int row = 0; row < kRows; row += 2) {
    int values[kColumns];
    MPI_File_read_at(file, row * width, values, width, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < width; i++)
      sum += values[i] * (row + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("view-vector %ld\n", total);
  MPI_Finalize();
  return 0;
}
