/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a program that reads through stdio only.
 * The slicer has no criterion: the program must run as ever, without a pre-execution thread. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char path[64];
  snprintf(path, sizeof path, "no-mpi-io.%d", rank);
  FILE *file = fopen(path, "w+b");
  if (!file)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < 1000; i++)
    fprintf(file, "%d\n", i * (rank + 1));
  rewind(file);
  long sum = 0, total = 0;
  for (int value; fscanf(file, "%d", &value) == 1;)
    sum += value;
  fclose(file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("no-mpi-io %ld\n", total);
  MPI_Finalize();
  return 0;
}
