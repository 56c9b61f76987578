/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: stores through a pointer to a pointer change which array gives the offsets.
 * The slicer must follow both levels: neither the allocation nor the exchange may go. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPoints = 16, kRun = 20 };

static void allocate(int **list, int n, int step) {
  *list = malloc((size_t)n * sizeof **list);
  for (int i = 0; i < n; i++)
    (*list)[i] = i * step % 50;
}

static void exchange(int **a, int **b) {
  int *first = *a;
  *a = *b;
  *b = first;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float run[kRun];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "pointer-to-pointer.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int r = 0; rank == 0 && r < 50; r++) {
    for (int i = 0; i < kRun; i++)
      run[i] = (float)(r + i);
    MPI_File_write(file, run, kRun, MPI_FLOAT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  int *forward, *other, **current = &forward;
  allocate(&forward, kPoints, 3);
  allocate(&other, kPoints, 7 + rank);
  MPI_File_open(MPI_COMM_WORLD, "pointer-to-pointer.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0;
  for (int i = 0; i < 2 * kPoints; i++) {
    MPI_Offset offset = (*current)[i % kPoints] * (MPI_Offset)sizeof run;
    MPI_File_read_at(file, offset, run, kRun, MPI_FLOAT, MPI_STATUS_IGNORE);
    for (int k = 0; k < kRun; k++)
      sum += run[k] * (float)(i % 5);
    if (i % 4 == 3)
      exchange(&forward, &other);
    if (i == 20)
      current = &other;
  }
  MPI_File_close(&file);
  free(forward);
  free(other);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pointer-to-pointer %.0f\n", total);
  MPI_Finalize();
  return 0;
}
