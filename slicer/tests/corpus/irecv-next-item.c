/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the workers receive their first block before the loop, and each next one while they work
 * on the one before; a sum that all go by is made in the meantime, too.
 * The slicer must have the pre-execution threads tell the messages apart, and make the sum.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 40, kBlocks = 64, kRounds = 25, kStepMs = 10, kWork = 7 };

static MPI_File file;

static long use(long block, int round) {
  int values[kLength];
  long sum = 0;
  MPI_File_read_at(file, block % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += (long)values[i] * (round + 1);
  usleep(kStepMs * 1000);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "irecv-next-item.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 50 + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "irecv-next-item.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  unsigned state = 12345;
  long sum = 0, total = 0, block = 0, base = 0;
  for (int round = 0; round <= kRounds; round++) {
    long next = 0, part = (rank + 1) * (round + 2), all = 0;
    MPI_Request adding, receiving = MPI_REQUEST_NULL;
    MPI_Iallreduce(&part, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &adding);
    if (rank == 0)
      for (int worker = 1; worker < ranks; worker++) {
        state = state * 1103515245u + 12345u;
        long dealt = (state >> 16) % kBlocks;
        MPI_Send(&dealt, 1, MPI_LONG, worker, kWork, MPI_COMM_WORLD);
      }
    else if (round == 0)
      MPI_Recv(&block, 1, MPI_LONG, 0, kWork, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Irecv(&next, 1, MPI_LONG, 0, kWork, MPI_COMM_WORLD, &receiving);
    sum += use(block + base, round);
    MPI_Wait(&receiving, MPI_STATUS_IGNORE);
    MPI_Wait(&adding, MPI_STATUS_IGNORE);
    if (rank != 0 && round > 0)
      block = next;
    base = all;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("irecv-next-item %d ranks: %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
