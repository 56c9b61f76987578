/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the time ends a loop that reads, at the latest, and each read is timed by the same function.
 * The pre-execution thread asks the clock itself there and does not wait for what the main thread is
 * told. The seed of what is read is a time, too: that it has from the main thread.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { kLength = 512, kBlocks = 64, kStepMs = 5, kLimitS = 600 };

static double seconds(void) {
  struct timeval now;
  if (gettimeofday(&now, NULL) != 0)
    exit(1);
  return (double)now.tv_sec + (double)now.tv_usec / 1e6;
}

static unsigned seed(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned)now.tv_nsec;
}

static double readBlock(MPI_File file, int block, double *into) {
  double begin = seconds();
  MPI_File_read_at(file, block * (MPI_Offset)kLength * 8, into, kLength, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
  return seconds() - begin;
}

static void make(const char *name, int rank, int ranks) {
  double values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = b;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make("time-limit.dat", rank, ranks);

  double values[kLength], reading = 0, started = seconds(), limit = kLimitS;
  int order[kBlocks], wrong = 0, allWrong = 0;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "time-limit.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  srand(seed() + (unsigned)rank);
  for (int b = 0; b < kBlocks; b++)
    order[b] = rand() % kBlocks;
  for (int b = 0; b < kBlocks; b++) {
    reading += readBlock(file, order[b], values);
    for (int i = 0; i < kLength; i++)
      wrong += values[i] != order[b];
    usleep(kStepMs * 1000);
    if (limit > 0 && seconds() - started > limit)
      return 1;
  }
  MPI_File_close(&file);
  wrong += reading < 0;
  MPI_Reduce(&wrong, &allWrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("time-limit %d\n", allWrong);
  MPI_Finalize();
  return 0;
}
