/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: calls that read stand where something else is computed, too: in the value of a return in
 * the middle of a function, behind a pointer, and where a condition decides whether they are made.
 * Only they, and what decides about them, may be in the slice: with all of their statements, it
 * would compute as much as the program. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 128, kBlocks = 64, kSteps = 40, kStepUs = 2000 };

static MPI_File file;

/* Reads a block, and works on it. */
static double block(int number) {
  double values[kLength], sum = 0;
  MPI_File_read_at(file, number % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
  usleep(kStepUs);
  for (int i = 0; i < kLength; i++)
    sum += values[i];
  return sum;
}

static double mirrored(int number) { return -block(kBlocks - 1 - number % kBlocks); }

static const struct way {
  const char *name;
  double (*go)(int number);
} ways[] = {{"forward", block}, {"back", mirrored}};

static double chosen(int kind, int number) {
  if (kind == 1)
    return ways[number % 2].go(number) / kLength;
  switch (kind) {
  case 2:
    return block(number) * 0.5;
  case 3:
    return mirrored(number) + 1;
  default:
    break;
  }
  return block(number + 1);
}

static void make(int rank) {
  if (rank == 0) {
    FILE *made = fopen("reads-in-expressions.dat", "wb");
    for (int i = 0; i < kBlocks * kLength; i++) {
      double value = i % 977 * 0.5;
      fwrite(&value, sizeof value, 1, made);
    }
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make(rank);
  MPI_File_open(MPI_COMM_WORLD, "reads-in-expressions.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, weight = 1, total;
  int isDouble = argc > 5;
  for (int step = 0; step < kSteps; step++) {
    sum += step % 5 ? block(step * 7 + rank) : step % 2 ? mirrored(step) : weight;
    weight = chosen(step % 4, step * 11) > 3 ? 2 : 1;
    weight += isDouble && block(step) > 0 ? 1 : 0;
    sum += weight * ways[step % 3 > 0].go(step * 5);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("reads-in-expressions %.3f\n", total);
  MPI_Finalize();
  return 0;
}
