/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one helper asks for numbers that decide where to read, and for others that do not.
 * The slicer must make all calls of the helper: the main thread hands over each number, in turn. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 16, kBlocks = 60, kRounds = 8 };

static int rank;
static long printed;

/* Rank 0 reads it. */
static int fetch(void) {
  int value = 0;
  if (rank == 0 && scanf("%d", &value) != 1)
    value = 0;
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return value;
}

static void report(int values) {
  for (int i = 0; i < values; i++)
    printed += fetch();
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "helper-of-values.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 7 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "helper-of-values.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int round = 0; round < kRounds; round++) {
    int red = fetch();
    int blue = fetch();
    int green = fetch();
    report(round % 3);
    MPI_File_read_at(file, (red * 7 + green + rank) % kBlocks * (MPI_Offset)sizeof values, values,
                     kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 3);
    printed += blue;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("helper-of-values %ld %ld\n", total, printed);
  MPI_Finalize();
  return 0;
}
