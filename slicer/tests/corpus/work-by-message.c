/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a master deals out the blocks that the workers read, by messages in each round.
 * The slicer must have the master's pre-execution thread send what those of the workers receive.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 40, kBlocks = 64, kRounds = 25, kStepMs = 10, kWork = 7 };

static MPI_File file;

static long use(long block, int round) {
  int values[kLength];
  long sum = 0;
  MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += (long)values[i] * (round + 1);
  usleep(kStepMs * 1000);
  return sum;
}

static long deal(int ranks) {
  unsigned state = 12345;
  long sum = 0;
  for (int round = 0; round < kRounds; round++) {
    for (int worker = 1; worker < ranks; worker++) {
      state = state * 1103515245u + 12345u;
      long block = (state >> 16) % kBlocks;
      MPI_Send(&block, 1, MPI_LONG, worker, kWork, MPI_COMM_WORLD);
    }
    sum += use(round % kBlocks, round);
  }
  return sum;
}

static long work(void) {
  long sum = 0, block;
  for (int round = 0; round < kRounds; round++) {
    MPI_Recv(&block, 1, MPI_LONG, 0, kWork, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += use(block, round);
  }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "work-by-message.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 50 + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "work-by-message.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum, total = 0;
  if (rank == 0)
    sum = deal(ranks);
  else
    sum = work();
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("work-by-message %d ranks: %ld\n", ranks, total);
  MPI_Finalize();
  return 0;
}
