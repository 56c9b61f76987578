/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: every call and every record is checked, and a failed check ends the program.
 * The slicer must not make the reads depend on checks of data: exits are not expected. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 40, kBlocks = 30 };

static void die(const char *what, int code) {
  fprintf(stderr, "error-branch-exits: %s (%d)\n", what, code);
  MPI_Abort(MPI_COMM_WORLD, code);
  exit(code);
}

static void checkBlock(const int *values, int block) {
  if (values[0] != block) {
    fprintf(stderr, "block %d has number %d\n", block, values[0]);
    exit(3);
  }
  for (int i = 1; i < kLength; i++)
    if (values[i] < 0)
      die("negative value", i);
}

int main(int argc, char **argv) {
  int rank, rc, values[kLength];
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
    exit(1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  rc = MPI_File_open(MPI_COMM_WORLD, "error-branch-exits.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                     MPI_INFO_NULL, &file);
  if (rc)
    die("create", rc);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    values[0] = b;
    for (int i = 1; i < kLength; i++)
      values[i] = b ^ i;
    if ((rc = MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE)))
      die("write", rc);
  }
  MPI_File_close(&file);

  rc = MPI_File_open(MPI_COMM_WORLD, "error-branch-exits.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                     &file);
  if (rc)
    die("open", rc);
  long sum = 0, total = 0;
  for (int b = rank; b < kBlocks; b++) {
    MPI_Status status;
    int count;
    rc = MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT, &status);
    if (rc != MPI_SUCCESS)
      die("read", rc);
    MPI_Get_count(&status, MPI_INT, &count);
    if (count != kLength)
      die("short read", count);
    checkBlock(values, b);
    for (int i = 1; i < kLength; i++)
      sum += values[i];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("error-branch-exits %ld\n", total);
  MPI_Finalize();
  return 0;
}
