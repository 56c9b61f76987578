/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: rank 0 gets requests line by line from standard input, by a function that is given the
 * stream, and hands them on. The slicer must forward the lines, and whether that was all. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 24, kBlocks = 50 };

static int next_request(FILE *in, int request[2]) {
  char line[64];
  do
    if (!fgets(line, sizeof line, in))
      return 0;
  while (sscanf(line, "%d %d", &request[0], &request[1]) != 2);
  return 1;
}

static long requested(MPI_File file, FILE *in, int rank) {
  int values[kLength], request[2];
  long sum = 0;
  for (;;) {
    if (rank == 0 && !next_request(in, request))
      request[1] = feof(in) ? 0 : -1;
    MPI_Bcast(request, 2, MPI_INT, 0, MPI_COMM_WORLD);
    if (request[1] <= 0)
      return request[1] < 0 ? -1 : sum;
    MPI_File_read_at(file, (request[0] + rank) % kBlocks * (MPI_Offset)sizeof values, values,
                     request[1], MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < request[1]; i++)
      sum += values[i];
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "stdin-lines.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 6 - i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "stdin-lines.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = requested(file, stdin, rank), total = 0;
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("stdin-lines %ld\n", total);
  MPI_Finalize();
  return 0;
}
