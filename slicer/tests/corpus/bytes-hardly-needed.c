/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: large blocks are read, and in one of two layouts of the file a block tells which comes
 * next. In this file none does: bytes that may be needed are not waited for unless something looks.
 * One block in twenty is looked at all the same.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 8192, kBlocks = 60, kStepMs = 5 };
enum { kInOrder, kLinked };

static void make(const char *name, int rank, int ranks) {
  int layout = kInOrder;
  long *block = malloc(kLength * sizeof *block);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (rank == 0)
    MPI_File_write_at(file, 0, &layout, 1, MPI_INT, MPI_STATUS_IGNORE);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      block[i] = b * 3 + i % 5;
    MPI_File_write_at(file, 4096 + b * (MPI_Offset)kLength * 8, block, kLength, MPI_LONG,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  free(block);
}

/* Returns how many bytes have come. */
static int readBlock(MPI_File file, int block, long *into) {
  MPI_Status status;
  int bytes;
  MPI_File_read_at(file, 4096 + block * (MPI_Offset)kLength * 8, into, kLength, MPI_LONG, &status);
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  return bytes;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, layout;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make("bytes-hardly-needed.dat", rank, ranks);

  long *block = malloc(kLength * sizeof *block);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "bytes-hardly-needed.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at(file, 0, &layout, 1, MPI_INT, MPI_STATUS_IGNORE);
  long sum = 0, total = 0;
  int next = rank;
  for (int step = 0; step < kBlocks; step++) {
    if (readBlock(file, next % kBlocks, block) != kLength * 8)
      break;
    if (layout == kLinked)
      next = (int)block[kLength - 1];
    else if (step % 20 == 19)
      next += (int)(block[7] % 3) + 1;
    else
      next++;
    for (int i = 0; i < kLength; i++)
      sum += block[i] * (step % 7 + i % 3);
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  free(block);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("bytes-hardly-needed %ld\n", total);
  MPI_Finalize();
  return 0;
}
