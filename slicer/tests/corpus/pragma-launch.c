/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: #pragma forerun launch. The pre-execution thread starts in a function, after the set-up,
 * and not in MPI_Init; a second call of that function starts nothing. What the main thread has
 * passed by then is known to it. */
#include <mpi.h>
#include <stdio.h>

enum { STEPS = 24, VALUES = 96 };

static MPI_File file;

static long pass(int rank, int ranks, int number) {
  int values[VALUES];
  long sum = 0;
#pragma forerun launch
  for (int step = 0; step < STEPS; step++) {
    MPI_Offset block = (MPI_Offset)step * ranks + (rank + number) % ranks;
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, VALUES, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < VALUES; i++)
      sum += values[i] % (number + 3);
  }
  return sum;
}

int main(int argc, char **argv) {
  int rank, ranks, values[VALUES];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "pragma-launch.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < VALUES; i++)
      values[i] = step * 7 + i * (rank + 1);
    MPI_Offset block = (MPI_Offset)step * ranks + rank;
    MPI_File_write_at(file, block * (MPI_Offset)sizeof values, values, VALUES, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  long sum = 0, total = 0;
  for (int number = 0; number < 2; number++)
    sum += pass(rank, ranks, number);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pragma-launch %ld\n", total);
  MPI_Finalize();
  return 0;
}
