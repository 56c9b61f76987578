/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a read whose name is given to a macro, in a program that makes a macro of this very name
 * elsewhere. The slicer must look whether the name is a macro where the read is. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 30, kBlocks = 40 };

static int failures, counted;

static int checked(int rc, const char *name, int line) {
  if (rc != MPI_SUCCESS)
    fprintf(stderr, "%d: %s\n", line, name);
  return failures += rc != MPI_SUCCESS;
}

#define TRY(function, ...) checked(function(__VA_ARGS__), #function, __LINE__)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "macro-elsewhere.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 3 + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    TRY(MPI_File_read_at, file, (b * 7 + rank) % kBlocks * (MPI_Offset)sizeof values, values,
        kLength, MPI_INT, MPI_STATUS_IGNORE);
    sum += values[b % kLength];
  }
#define MPI_File_read_at(...) (counted++, MPI_File_read_at(__VA_ARGS__))
  for (int b = 0; b < kBlocks; b++) {
    MPI_File_read_at(file, (kBlocks - 1 - b) * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    sum += values[b % kLength];
  }
#undef MPI_File_read_at
  for (int b = 0; b < kBlocks; b++) {
    TRY(MPI_File_read_at, file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
        MPI_STATUS_IGNORE);
    sum += values[b % kLength];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("macro-elsewhere %ld, %d counted, %d failed\n", total, counted, failures);
  MPI_Finalize();
  return 0;
}
