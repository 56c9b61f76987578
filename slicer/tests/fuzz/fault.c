/* SPDX-License-Identifier: Apache-2.0 */
/* Linked by the test of the fuzzer: at its end, the program does something wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MPI_Finalize(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(FAULT, "hang") == 0)
    pause();
  if (strcmp(FAULT, "all") == 0 && rank == 0) {
    FILE *file = fopen("out.dat", "ab");
    fputc('!', file);
    fclose(file);
    printf("surprise\n");
  }
  int rc = PMPI_Finalize();
  if (strcmp(FAULT, "all") == 0)
    exit(9);
  return rc;
}
