/* SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"

#include <mpi.h>
#include <stdio.h>

void printTimes(const struct Times *mine) {
  struct Times slowest;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(mine, &slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("seconds of the slowest rank: reads %.3f, compute %.3f\n", slowest.reading,
           slowest.computing);
}
