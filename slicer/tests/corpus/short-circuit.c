/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: reads and changes of state on the right of && and ||.
 * The slicer must keep the left sides, which decide whether the right sides run. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 23, kBlocks = 41 };

static MPI_File file;
static int values[kLength];

static int fetch(int block) {
  return MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                          MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, credit = 9;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "short-circuit.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 2 + i % 5;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "short-circuit.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    if (b % 3 == rank % 3 && credit-- > 0 && fetch(b))
      for (int i = 0; i < kLength; i++)
        sum += values[i];
    (void)(b % 7 != 2 || (credit += 2, fetch((b + 5) % kBlocks)) || (sum = -1));
    int both = b > 10 && b < 20 && (credit & 1) && fetch(b / 2);
    sum += both ? values[b % kLength] : 0;
  }
  MPI_File_close(&file);
  sum += credit;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("short-circuit %ld\n", total);
  MPI_Finalize();
  return 0;
}
