/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: #pragma forerun ignore, before a statement and before a function. What is read there is
 * not announced, but the file pointer moves on by it, so that the reads after it are announced at the
 * right places. */
#include <mpi.h>
#include <stdio.h>

enum { RECORDS = 30, HEADER = 16, VALUES = 48 };

static MPI_File file;

#pragma forerun ignore
static long trailer(int rank) {
  int last[4];
  MPI_File_read_at(file, ((MPI_Offset)rank * RECORDS + RECORDS - 1) * (HEADER + VALUES) * 4, last,
                   4, MPI_INT, MPI_STATUS_IGNORE);
  return last[0] + last[3];
}

int main(int argc, char **argv) {
  int rank, buffer[HEADER + VALUES];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Offset start = (MPI_Offset)rank * RECORDS * (MPI_Offset)sizeof buffer;

  MPI_File_open(MPI_COMM_WORLD, "pragma-ignore.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  MPI_File_seek(file, start, MPI_SEEK_SET);
  for (int r = 0; r < RECORDS; r++) {
    for (int i = 0; i < HEADER + VALUES; i++)
      buffer[i] = r + i + rank;
    MPI_File_write(file, buffer, HEADER + VALUES, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);

  MPI_File_seek(file, start, MPI_SEEK_SET);
  long sum = trailer(rank), total = 0;
  for (int r = 0; r < RECORDS; r++) {
#pragma forerun ignore
    MPI_File_read(file, buffer, HEADER, MPI_INT, MPI_STATUS_IGNORE);
    sum += buffer[0];
    MPI_File_read(file, buffer, VALUES, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < VALUES; i++)
      sum += buffer[i] * (r % 5);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pragma-ignore %ld\n", total);
  MPI_Finalize();
  return 0;
}
