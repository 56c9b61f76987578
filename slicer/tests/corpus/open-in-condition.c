/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: open, seek and read inside conditions, with their results compared there.
 * The slicer must keep these calls in place although the branches only print and leave. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 128, kBlocks = 12 };

static int makeInput(const char *path) {
  MPI_File file;
  int rank, rc;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if ((rc = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                          &file)) != MPI_SUCCESS)
    return rc;
  float block[kLength];
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      block[i] = (float)(b + i % 16);
    if ((rc = MPI_File_write(file, block, kLength, MPI_FLOAT, MPI_STATUS_IGNORE)))
      break;
  }
  MPI_File_close(&file);
  return rc;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (makeInput("open-in-condition.dat"))
    MPI_Abort(MPI_COMM_WORLD, 2);

  MPI_File file;
  float block[kLength];
  double sum = 0, total = 0;
  if (MPI_File_open(MPI_COMM_WORLD, "open-in-condition.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                    &file) != MPI_SUCCESS) {
    fprintf(stderr, "cannot open\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (MPI_File_seek(file, rank % kBlocks * (MPI_Offset)sizeof block, MPI_SEEK_SET) == MPI_SUCCESS)
    while (MPI_File_read(file, block, kLength / 2, MPI_FLOAT, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
      for (int i = 0; i < kLength / 2; i++)
        sum += block[i];
      MPI_Offset here;
      if (MPI_File_get_position(file, &here) != MPI_SUCCESS ||
          here + kLength * 2 > (MPI_Offset)sizeof block * kBlocks)
        break;
    }
  MPI_File_close(&file);

  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("open-in-condition %.0f\n", total);
  MPI_Finalize();
  return 0;
}
