/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the tests of forerun-check: makes a file, reads it from the offset that standard
 * input gives, prints its arguments and, from every rank, a line. */
#include <mpi.h>
#include <stdio.h>

enum { kBlock = 10, kBlocks = 8 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, first = 0, block[kBlock] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "program.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  MPI_File_write_at_all(file, rank * 40, block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  if (rank == 0 && scanf("%d", &first) != 1)
    first = 0;
  for (int b = first; b < kBlocks; b++)
    MPI_File_read_at(file, b * 40, block, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  for (int i = 1; rank == 0 && i < argc; i++)
    printf("%s from %d\n", argv[i], first);
  printf("rank %d\n", rank);
  MPI_Finalize();
  return 0;
}
