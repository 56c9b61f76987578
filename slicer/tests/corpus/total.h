/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program: the sum over all ranks, printed by rank 0. */
#ifndef TOTAL_H
#define TOTAL_H

#include <mpi.h>
#include <stdio.h>

static inline void printTotal(const char *name, long sum) {
  long total = 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %ld\n", name, total);
}

static inline void printSum(double sum) {
  double total = 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.1f\n", total);
}

#endif
