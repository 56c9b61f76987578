/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: rank 0 reads offsets from its standard input and hands them on.
 * The slicer must not take a byte from standard input: it forwards what the main thread got. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 24, kBlocks = 50 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "stdin-offset.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 6 - i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "stdin-offset.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  char title[32] = "";
  long sum = 0, total = 0;
  if (rank == 0 && !fgets(title, sizeof title, stdin))
    title[0] = '?';
  for (;;) {
    int request[2] = {-1, 0};
    if (rank == 0 && scanf("%d %d", &request[0], &request[1]) != 2)
      request[0] = -1;
    MPI_Bcast(request, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (request[0] < 0)
      break;
    MPI_File_read_at(file, (request[0] + rank) % kBlocks * (MPI_Offset)sizeof values, values,
                     request[1], MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < request[1]; i++)
      sum += values[i];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("stdin-offset %ld %s", total, title);
  MPI_Finalize();
  return 0;
}
