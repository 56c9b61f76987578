/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a static local variable as state between calls.
 * The slicer must give the pre-execution thread its own copy: the main thread's must not move. */
#include <mpi.h>
#include <stdio.h>

enum { kBlock = 96, kBlocks = 25 };

static MPI_Offset nextOffset(void) {
  static int calls, stride = 7;
  calls++;
  if (calls % 10 == 0)
    stride += 2;
  return (MPI_Offset)(calls * stride % kBlocks) * kBlock;
}

static long digest(const char *text) {
  static long state = 1;
  for (int i = 0; i < kBlock; i++)
    state = (state * 33 + text[i]) % 65521;
  return state;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char block[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_File out;
    MPI_File_open(MPI_COMM_SELF, "static-local-counter.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                  MPI_INFO_NULL, &out);
    for (int b = 0; b < kBlocks; b++) {
      for (int i = 0; i < kBlock; i++)
        block[i] = (char)('a' + (b + i) % 26);
      MPI_File_write(out, block, kBlock, MPI_CHAR, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "static-local-counter.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long last = 0, total = 0;
  for (int i = 0; i < 35 + rank; i++) {
    MPI_File_read_at(file, nextOffset(), block, kBlock, MPI_CHAR, MPI_STATUS_IGNORE);
    last = digest(block);
  }
  MPI_File_close(&file);

  MPI_Reduce(&last, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("static-local-counter %ld\n", total);
  MPI_Finalize();
  return 0;
}
