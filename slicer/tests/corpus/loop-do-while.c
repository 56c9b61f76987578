/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the condition of a do-while loop is computed after its body.
 * The slicer must keep the loop, its counter and the offset, and leave out the sum. */
#include <mpi.h>
#include <stdio.h>

enum { kRecords = 40, kLength = 32 };

static void makeInput(const char *path) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int r = rank; r < kRecords; r += ranks) {
    int record[kLength];
    for (int i = 0; i < kLength; i++)
      record[i] = r * 3 + i;
    MPI_File_write_at(file, (MPI_Offset)r * (MPI_Offset)sizeof record, record, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeInput("loop-do-while.dat");

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "loop-do-while.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0;
  int next = rank;
  do {
    int record[kLength];
    MPI_File_read_at(file, (MPI_Offset)next * (MPI_Offset)sizeof record, record, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += record[i] * (i + 1);
    next += ranks;
  } while (next < kRecords);
  MPI_File_close(&file);

  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("loop-do-while %ld\n", total);
  MPI_Finalize();
  return 0;
}
