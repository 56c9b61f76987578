/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: _Generic chooses the function that reads, by a variable that is named nowhere else in the
 * slice: it has to be declared there all the same. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 32, kBlocks = 50 };

#define LOAD(file, number, to)                                                                     \
  _Generic((to), double *: loadDoubles, int *: loadInts)(file, number, to)

static void loadDoubles(MPI_File file, int number, double *to) {
  MPI_File_read_at(file, number * (MPI_Offset)kLength * 8, to, kLength, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
}

static void loadInts(MPI_File file, int number, int *to) {
  MPI_File_read_at(file, number * (MPI_Offset)kLength * 8, to, kLength, MPI_INT, MPI_STATUS_IGNORE);
}

static double first(MPI_File file, int number) {
  double values[kLength];
  LOAD(file, number, values);
  return values[number % kLength];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, halves[kLength];
  double sum = 0, total;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *made = fopen("generic-selection.dat", "wb");
    for (int i = 0; i < kBlocks * kLength; i++) {
      double value = i % 89;
      fwrite(&value, sizeof value, 1, made);
    }
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "generic-selection.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int i = 0; i < kBlocks / 2; i++) {
    sum += first(file, i);
    LOAD(file, kBlocks - 1 - i, halves);
    sum += halves[1] % 1000;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("generic-selection %.3f\n", total);
  MPI_Finalize();
  return 0;
}
