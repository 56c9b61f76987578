/* SPDX-License-Identifier: Apache-2.0 */
/* main.c of docs/forerun-cc.md and others: makes a file and has part.c read it, step by step. */
#include "part.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, steps = 10;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc == 3 && strcmp(argv[1], "--steps") == 0)
    steps = atoi(argv[2]);
  if (rank == 0)
    makeSteps("steps.dat", steps);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("rank %d: %ld\n", rank, sumSteps("steps.dat", steps));
  MPI_Finalize();
  return 0;
}
