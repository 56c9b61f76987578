/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: MPI_Init_thread, late, in a function; main has no parameters.
 * The slicer must start the pre-execution thread after it, and give what the program asked for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 48, kBlocks = 21 };

static int prepared;

static void prepare(void) { prepared = 3; }

static int start(int *rank) {
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  return provided >= MPI_THREAD_FUNNELED;
}

int main(void) {
  int rank, values[kLength];
  prepare();
  if (!start(&rank))
    return EXIT_FAILURE;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "init-thread.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * prepared + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "init-thread.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = rank % prepared; b < kBlocks; b += prepared) {
    MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 5);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  int flag;
  MPI_Is_thread_main(&flag);
  if (rank == 0)
    printf("init-thread %ld %d\n", total, flag);
  MPI_Finalize();
}
