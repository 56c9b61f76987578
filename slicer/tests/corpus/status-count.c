/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the program reads until a read comes back short: MPI_Get_count ends the loop.
 * The slicer must know the count of a read without the data, or go on past the end in vain. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 50 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    FILE *out = fopen("status-count.dat", "wb");
    for (int i = 0; i < 1730; i++)
      fwrite(&i, sizeof i, 1, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "status-count.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  int count;
  MPI_Offset block = rank;
  do {
    MPI_Status status;
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    for (int i = 0; i < count; i++)
      sum += values[i] % 11;
    block += ranks;
  } while (count == kLength);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("status-count %ld\n", total);
  MPI_Finalize();
  return 0;
}
