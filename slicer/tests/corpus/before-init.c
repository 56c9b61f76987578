/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: much is decided before MPI_Init, and main's locals live across it.
 * The slicer starts after MPI_Init, but its slice begins with main: it computes this again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 26 };

static int blocks = 1;

int main(int argc, char **argv) {
  int stride = 2, order[40], n = 0;
  char *path = malloc(32);
  strcpy(path, "before-init");
  if (argc > 1)
    stride += atoi(argv[1]);
  while (blocks < 40) {
    blocks += blocks / 2 + 1;
    stride ^= 1;
  }
  for (int i = 0; i < 40; i += stride)
    order[n++] = (i * 7) % 40;
  strcat(path, ".dat");

  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < blocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < n; i++) {
    MPI_File_read_at(file, (order[i] + rank) % 40 * (MPI_Offset)sizeof values, values, kLength,
                     MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] * (i % 4);
  }
  MPI_File_close(&file);
  free(path);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("before-init %d %ld\n", stride, total);
  MPI_Finalize();
  return 0;
}
