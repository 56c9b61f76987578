/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: goto backwards and forwards, out of loops and into the end of the function.
 * The slicer must keep the gotos that decide how often the read is tried, with their labels. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRecords = 16, kLength = 50 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, status = 1, record = 0, tries;
  long sum = 0, total = 0;
  double *values = malloc(kLength * sizeof *values);
  MPI_File file;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!values)
    goto end;

  MPI_File_open(MPI_COMM_WORLD, "goto-retry.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  for (int r = rank; r < kRecords; r += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = r + i;
    MPI_File_write_at(file, r * kLength * 8, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "goto-retry.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);

next:
  tries = 0;
again:
  if (MPI_File_read_at(file, record * kLength * 8, values, kLength, MPI_DOUBLE,
                       MPI_STATUS_IGNORE) != MPI_SUCCESS)
    goto close;
  for (int i = 0; i < kLength; i++)
    sum += (long)values[i];
  if (record % 4 == 3 && ++tries < 3)
    goto again; /* every fourth record is read three times */
  if (++record < kRecords)
    goto next;
  status = 0;

close:
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("goto-retry %ld\n", total);
end:
  free(values);
  MPI_Finalize();
  return status;
}
