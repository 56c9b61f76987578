/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the offset of each read travels around a ring of ranks.
 * The slicer must not mix its messages with the main thread's; what is received may be forwarded.
 */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 30, kBlocks = 40 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "send-recv-offset.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 11 % 17 + i;
    MPI_File_write_at(file, b * 120, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "send-recv-offset.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  long block = rank * 5 % kBlocks, sum = 0, total = 0;
  for (int step = 0; step < 12; step++) {
    MPI_File_read_at(file, block * 120, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (step + 1);
    long out = (block * 3 + rank) % kBlocks;
    if (step % 2) {
      MPI_Sendrecv(&out, 1, MPI_LONG, right, step, &block, 1, MPI_LONG, left, step, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    } else {
      MPI_Request request;
      MPI_Isend(&out, 1, MPI_LONG, left, step, MPI_COMM_WORLD, &request);
      MPI_Recv(&block, 1, MPI_LONG, right, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("send-recv-offset %ld\n", total);
  MPI_Finalize();
  return 0;
}
