/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the file is cut and grown between reads; its end moves.
 * The slicer must wait at each set_size: nothing after it may be fetched before. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 64 };

/* With `grown` the values are what the file system likes: only their number counts. */
static long readSome(MPI_File file, int rank, int grown) {
  int values[kLength];
  long sum = 0;
  for (int i = 0; i < 6; i++) {
    MPI_Status status;
    int count;
    MPI_File_read_at(file, (i * 2 + rank) * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     &status);
    MPI_Get_count(&status, MPI_INT, &count);
    for (int k = 0; k < count; k++)
      sum += grown ? 1 : values[k] + 1;
  }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "set-size-then-read.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < 16; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  long sum = readSome(file, rank, 0), total = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, 4 * (MPI_Offset)sizeof values);
  MPI_File_sync(file);
  sum += 3 * readSome(file, rank, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_set_size(file, 8 * (MPI_Offset)sizeof values);
  MPI_File_sync(file);
  sum += 5 * readSome(file, rank, 1);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("set-size-then-read %ld\n", total);
  MPI_Finalize();
  return 0;
}
