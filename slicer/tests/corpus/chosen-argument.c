/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: blocks are written and read back by the next rank, by one function, whose count of wrong
 * elements is added up; which rank's blocks they are is chosen in the call's argument.
 * The slicer must not compute that count for the sake of the choice.
 */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 40, kSteps = 30 };

static int elementAt(int owner, int step, int i) { return owner * 1000 + step * kLength + i; }

/* How many elements are wrong. */
static long pass(MPI_File file, int isWriting, int owner, int ranks) {
  int values[kLength];
  long wrong = 0;
  for (int step = 0; step < kSteps; step++) {
    MPI_Offset at = ((MPI_Offset)step * ranks + owner) * (MPI_Offset)sizeof values;
    if (isWriting) {
      for (int i = 0; i < kLength; i++)
        values[i] = elementAt(owner, step, i);
      MPI_File_write_at(file, at, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
      continue;
    }
    MPI_File_read_at(file, at, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      wrong += values[i] != elementAt(owner, step, i);
  }
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, isShifted = argc < 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "chosen-argument.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  pass(file, 1, rank, ranks);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "chosen-argument.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long wrong = 0, all = 0;
  for (int repeat = 0; repeat < 2; repeat++)
    wrong += pass(file, 0, isShifted ? (rank + 1) % ranks : rank, ranks);
  MPI_File_close(&file);
  MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("chosen-argument: %ld wrong\n", all);
  MPI_Finalize();
  return 0;
}
