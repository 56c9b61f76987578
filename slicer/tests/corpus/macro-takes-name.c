/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: macros that take only the name of a function, print it, or hold their argument twice, as
 * assert does. The slicer must not put anything around half a call. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define TRACE(function) error = function
#define NAMED(function, arguments)                                                                 \
  do {                                                                                             \
    last = #function;                                                                              \
    error = function arguments;                                                                    \
  } while (0)

enum { kBlock = 40, kBlocks = 30 };

static MPI_Offset offsetOf(int block) {
  return (MPI_Offset)block * kBlock * (MPI_Offset)sizeof(int);
}

int main(int argc, char **argv) {
  int rank, error, block[kBlock], first = 3, least = 0;
  const char *last = "";
  MPI_File file;
  TRACE(MPI_Init)(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  assert(MPI_File_open(MPI_COMM_WORLD, "macro-takes-name.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                       MPI_INFO_NULL, &file) == MPI_SUCCESS);
  if (rank == 0)
    for (int b = 0; b < kBlocks; b++) {
      for (int i = 0; i < kBlock; i++)
        block[i] = b * 5 ^ i;
      TRACE(MPI_File_write_at)(file, offsetOf(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    }
  MPI_File_close(&file);

  NAMED(MPI_File_open,
        (MPI_COMM_WORLD, "macro-takes-name.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  if (error != MPI_SUCCESS || strcmp(last, "MPI_File_open") != 0)
    MPI_Abort(MPI_COMM_WORLD, 1);
  TRACE(MPI_Allreduce)(&first, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  long sum = 0, total = 0;
  for (int i = least; i < kBlocks; i++) {
    if (i % 3 == 0)
      TRACE(MPI_File_read_at)(file, offsetOf(i), block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    else if (i % 3 == 1)
      NAMED(MPI_File_read_at, (file, offsetOf(i), block, kBlock, MPI_INT, MPI_STATUS_IGNORE));
    else
      assert(MPI_File_read_at(file, offsetOf(i), block, kBlock, MPI_INT, MPI_STATUS_IGNORE) == 0);
    for (int k = 0; k < kBlock; k++)
      sum += block[k] * (k % 7);
  }
  assert(MPI_File_close(&file) == MPI_SUCCESS);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("macro-takes-name %ld %s\n", total, last);
  MPI_Finalize();
  return error;
}
