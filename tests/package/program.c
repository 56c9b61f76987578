/* SPDX-License-Identifier: Apache-2.0 */
/* A user's program: each rank reads the numbers of a file in an order of its own, and adds them up. */
#include <mpi.h>
#include <stdio.h>

enum { NUMBERS = 1024 };

static MPI_File open_file(const char *path, int mode) {
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return file;
}

static void make(const char *path, int rank) {
  MPI_File file = open_file(path, MPI_MODE_WRONLY | MPI_MODE_CREATE);
  for (int n = 0; rank == 0 && n < NUMBERS; n++)
    MPI_File_write_at(file, (MPI_Offset)n * sizeof n, &n, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  if (argc < 2)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make(argv[1], rank);
  MPI_File file = open_file(argv[1], MPI_MODE_RDONLY);
  long sum = 0;
  for (int n = 0; n < NUMBERS; n++) {
    int number = 0, where = (n * 7 + rank * 13) % NUMBERS;
    MPI_File_read_at(file, (MPI_Offset)where * sizeof number, &number, 1, MPI_INT,
                     MPI_STATUS_IGNORE);
    sum += number;
  }
  MPI_File_close(&file);
  if (rank == 0)
    printf("sum %ld\n", sum);
  MPI_Finalize();
  return 0;
}
