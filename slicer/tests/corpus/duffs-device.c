/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: case labels inside a loop inside the switch, and a goto into a block.
 * The slicer must keep the labels with what they label. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 12, kBlocks = 90 };

static MPI_File file;
static long sum;

static void readBlock(int block) {
  int values[kLength];
  MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += values[i] * (block % 3 + 1);
}

static void readRun(int block, int count) {
  int rounds = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      readBlock(block++);
      /* fall through */
    case 3:
      readBlock(block++);
      /* fall through */
    case 2:
      readBlock(block++);
      /* fall through */
    case 1:
      readBlock(block++);
    } while (--rounds > 0);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength], again = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "duffs-device.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b % 13 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "duffs-device.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int count = 4 + rank; count < 12; count++)
    readRun(count * 6, count);
  if (rank % 2)
    goto middle;
  while (again < 6) {
    readBlock(again * 3);
  middle:
    again += 2;
    readBlock(again);
  }
  MPI_File_close(&file);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("duffs-device %ld\n", total);
  MPI_Finalize();
  return 0;
}
