/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the program also reads a text file through stdio, writes a log and prints progress.
 * The slicer must leave every stream where the main thread has it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 21, kBlocks = 24 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  char name[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "stdio-beside.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b - i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  snprintf(name, sizeof name, "stdio-beside.weights.%d", rank);
  FILE *weights = fopen(name, "w+");
  for (int b = 0; b < kBlocks; b++)
    fprintf(weights, "%d\n", b % 4 + 1);
  rewind(weights);
  snprintf(name, sizeof name, "stdio-beside.log.%d", rank);
  FILE *log = fopen(name, "w");

  MPI_File_open(MPI_COMM_WORLD, "stdio-beside.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    int weight = 0;
    if (fscanf(weights, "%d", &weight) != 1)
      break;
    MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * weight;
    fprintf(log, "block %d weight %d sum %ld at %ld\n", b, weight, sum, ftell(weights));
    if (rank == 0 && b % 6 == 0)
      printf("%d of %d\n", b, kBlocks);
  }
  MPI_File_close(&file);
  fclose(log);
  fclose(weights);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("stdio-beside %ld\n", total);
  MPI_Finalize();
  return 0;
}
