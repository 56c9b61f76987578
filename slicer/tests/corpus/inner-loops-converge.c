/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: in each step, an inner loop reads and computes until what all ranks have computed is small
 * enough, which is long before its bound; a second one stops by an operand of its condition. More is
 * read after these exits, so they must be handed over and predicted: left out, they would have the
 * rest of the inner loop announced, and nothing of the next step. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 64, kSteps = 5, kBound = 400, kStepUs = 500 };

static double values[kLength];
static MPI_File file;

static void readBlock(int step, int turn) {
  MPI_File_read_at(file, ((MPI_Offset)step * kBound + turn) * (MPI_Offset)sizeof values, values,
                   kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static double norm(void) {
  double sum = 0;
  for (int i = 0; i < kLength; i++)
    sum += sqrt(values[i] * values[i] + i);
  usleep(kStepUs);
  return sum / kLength;
}

static void make(const char *name) {
  FILE *made = fopen(name, "wb");
  for (int block = 0; block < 2 * kSteps * kBound; block++) {
    for (int i = 0; i < kLength; i++)
      values[i] = block % kBound + i * 0.01;
    fwrite(values, sizeof values, 1, made);
  }
  fclose(made);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    make("inner-loops-converge.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, "inner-loops-converge.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double total = 0;
  int turns = 0;
  for (int step = 0; step < kSteps; step++) {
    for (int turn = 0; turn < kBound; turn++) {
      readBlock(step, turn);
      double mine = norm(), all;
      MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      total += all;
      turns++;
      if (all > 70 + 3 * (step % 2))
        break;
    }
    int turn = 0;
    double largest = 0;
    while (turn < kBound && largest < 60 + step) {
      readBlock(kSteps + step, turn++);
      largest = norm();
      total += largest;
    }
    turns += turn;
  }
  MPI_File_close(&file);
  if (rank == 0)
    printf("inner-loops-converge %d %.6f\n", turns, total);
  MPI_Finalize();
  return 0;
}
