/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the exit status of main, lines on stderr, and atexit's functions stay the program's.
 * The slicer must not end the process when the slice comes to its own return or exit. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 25, kBlocks = 18 };

static const char *lastWords = "";

static void farewell(void) { fprintf(stderr, "%s", lastWords); }

static int verdict(long total) { return total % 2 ? 5 : 3; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  atexit(farewell);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "exit-status.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 2 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "exit-status.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    MPI_File_read_at(file, (b + rank) % kBlocks * (MPI_Offset)sizeof values, values, kLength,
                     MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i];
  }
  MPI_File_close(&file);
  MPI_Allreduce(&sum, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("exit-status %ld\n", total);
    lastWords = "exit-status: farewell\n";
  }
  MPI_Finalize();
  return verdict(total);
}
