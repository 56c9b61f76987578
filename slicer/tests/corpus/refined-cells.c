/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what a block holds decides, irregularly, whether two finer blocks are read before the
 * next one. The condition cannot be foreseen, but the blocks themselves are known for the whole run:
 * the pre-execution thread must go on past it, and not lose its head start where it was wrong. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 200, kBlocks = 400, kSteps = 240, kStepMs = 2 };

static MPI_File file;
static double block[kLength];

static void make(int rank, int ranks) {
  unsigned state = 1;
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++) {
      state = state * 1103515245u + 12345u;
      block[i] = (state >> 8) / 16777216.0;
    }
    if (b % ranks == rank)
      MPI_File_write_at(file, b * (MPI_Offset)sizeof block, block, kLength, MPI_DOUBLE,
                        MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static double load(int number) {
  double sum = 0;
  MPI_File_read_at(file, number % kBlocks * (MPI_Offset)sizeof block, block, kLength, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
  for (int pass = 0; pass < 20; pass++)
    for (int i = 0; i < kLength; i++)
      sum += block[i] * pass;
  return sum;
}

static double steepest(void) {
  double most = 0;
  for (int i = 1; i < kLength; i++) {
    const double step = block[i] - block[i - 1];
    if (step > most)
      most = step;
  }
  return most;
}

int main(int argc, char **argv) {
  int rank, ranks, refined = 0, all = 0;
  double sum = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "refined-cells.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  make(rank, ranks);
  MPI_File_open(MPI_COMM_WORLD, "refined-cells.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < kSteps; step++) {
    const int cell = (step * 7 + rank) % (kBlocks / 2);
    sum += load(cell);
    if (steepest() > 0.9) {
      refined++;
      for (int finer = 0; finer < 2; finer++)
        sum += load(kBlocks / 2 + cell + finer * 31);
    }
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&refined, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("refined-cells %d %.6f\n", all, total);
  MPI_Finalize();
  return 0;
}
