/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one call opens a file for writing only, and then for reading what decides where to read
 * next. Nothing has a cache while it is written.
 * The pre-execution thread must not wait for the writes of a file without a cache. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kBlocks = 512, kBytes = 4096 };

static char block[kBytes];
static long sum;

static void pass(const char *name, int writes) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, name, writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY,
                MPI_INFO_NULL, &file);
  long step = 0;
  if (writes)
    usleep(20000); /* as long as the pre-execution thread needs to come to the reads */
  for (int i = 0; i < kBlocks; i++)
    if (writes) {
      memset(block, i % 3, kBytes);
      MPI_File_write_at(file, (MPI_Offset)i * kBytes, block, kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    } else {
      MPI_File_read_at(file, (i + step) % kBlocks * (MPI_Offset)kBytes, block, kBytes, MPI_BYTE,
                       MPI_STATUS_IGNORE);
      step += block[7];
      sum += block[9] * (i % 7);
    }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  long total = 0;
  char name[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "write-only-then-read.%d.dat", rank);
  for (int round = 0; round < 2; round++) {
    pass(name, 1);
    pass(name, 0);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("write-only-then-read %ld\n", total);
  MPI_Finalize();
  return 0;
}
