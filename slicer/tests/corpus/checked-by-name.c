/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a macro that is given a function and its arguments, and also prints the name, is followed in
 * all its uses, though these have one text in common: for MPI_Init as for a read, with the name put
 * together, with the call twice, and in other macros. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CALL(function, ...) checked(function(__VA_ARGS__), #function, __LINE__)
#define ON_FILE(operation, ...) CALL(MPI_File_##operation, __VA_ARGS__)
#define TWICE(call)                                                                                \
  do {                                                                                             \
    call;                                                                                          \
    call;                                                                                          \
  } while (0)
#define SAFE(call)                                                                                 \
  ({                                                                                               \
    __typeof__(call) result = (call);                                                              \
    if (result != MPI_SUCCESS)                                                                     \
      abort();                                                                                     \
    result;                                                                                        \
  })

enum { kBlock = 40, kBlocks = 40 };

static int calls;

static int checked(int rc, const char *name, int line) {
  calls++;
  if (rc != MPI_SUCCESS) {
    fprintf(stderr, "%s in line %d\n", name, line);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return rc;
}

static MPI_Offset offsetOf(int block) {
  return (MPI_Offset)block * kBlock * (MPI_Offset)sizeof(int);
}

int main(int argc, char **argv) {
  int rank, block[kBlock] = {0};
  MPI_File file;
  CALL(MPI_Init, &argc, &argv);
  CALL(MPI_Comm_rank, MPI_COMM_WORLD, &rank);
  CALL(MPI_File_open, MPI_COMM_WORLD, "checked-by-name.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
       MPI_INFO_NULL, &file);
  if (rank == 0)
    for (int b = 0; b < kBlocks; b++) {
      for (int i = 0; i < kBlock; i++)
        block[i] = b * 3 ^ i;
      ON_FILE(write_at, file, offsetOf(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    }
  CALL(MPI_File_close, &file);
  CALL(MPI_Barrier, MPI_COMM_WORLD);

  CALL(MPI_File_open, MPI_COMM_WORLD, "checked-by-name.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    if (b % 4 == 0)
      CALL(MPI_File_read_at, file, offsetOf(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    else if (b % 4 == 1)
      ON_FILE(read_at, file, offsetOf(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    else if (b % 4 == 2)
      TWICE(CALL(MPI_File_read_at, file, offsetOf(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE));
    else
      SAFE(MPI_File_read_at(file, offsetOf(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < kBlock; i++)
      sum += block[i] * (i % 5);
  }
  CALL(MPI_File_close, &file);
  CALL(MPI_Reduce, &sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checked-by-name %ld, %d calls\n", total, calls > kBlocks);
  CALL(MPI_Finalize);
  return 0;
}
