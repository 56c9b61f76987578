/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: in each step the ranks add up in place how far all go on, and rank 0 gathers in place who
 * begins where. The slicer must take what lies in the buffers before that into the slice.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 24, kBlocks = 80, kSteps = 25, kStepMs = 10 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "in-place.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * i % 71;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "in-place.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int *starts = calloc((size_t)ranks, sizeof *starts);
  long sum = 0, total = 0, first = 0;
  for (int step = 0; step < kSteps; step++) {
    long far = 1 + (rank * 3 + step) % 5;
    MPI_Allreduce(MPI_IN_PLACE, &far, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    first += far;

    int start = (int)(first + rank * 3) % kBlocks;
    starts[rank] = start;
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : &start, 1, MPI_INT, starts, 1, MPI_INT, 0,
               MPI_COMM_WORLD);
    if (rank == 0) /* to the next one */
      for (int r = ranks - 1; r > 0; r--) {
        int other = starts[r];
        starts[r] = starts[r - 1];
        starts[r - 1] = other;
      }
    MPI_Bcast(starts, ranks, MPI_INT, 0, MPI_COMM_WORLD);

    MPI_File_read_at(file, starts[rank] * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += (long)values[i] * (step + i + 1);
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  free(starts);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("in-place %d ranks: %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
