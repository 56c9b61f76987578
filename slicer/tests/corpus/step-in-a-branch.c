/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what a block holds decides how far the next step goes, and whether a finer block is read,
 * too; the step is set in a branch without braces. The slicer must have the main thread hand over
 * the step and how the condition comes out, and not compute with the blocks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 40, kBlocks = 480, kStepMs = 3 };

static void make(const char *name, int rank, int ranks) {
  double values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = sin(b * 0.015) + i % 2;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static double largest(const double *values) {
  double found = values[0];
  for (int i = 1; i < kLength; i++)
    if (values[i] > found)
      found = values[i];
  return found;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, stride = 1, blocks = 0;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make("step-in-a-branch.dat", rank, ranks);
  make("step-in-a-branch.more", rank, ranks);

  MPI_File file, more;
  MPI_File_open(MPI_COMM_WORLD, "step-in-a-branch.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_open(MPI_COMM_WORLD, "step-in-a-branch.more", MPI_MODE_RDONLY, MPI_INFO_NULL, &more);
  double sum = 0, total = 0;
  for (int step = 0; step < kBlocks; step += stride) {
    MPI_Offset place = (step + rank) % kBlocks * (MPI_Offset)sizeof values;
    MPI_File_read_at(file, place, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
    const double high = largest(values);
    if (high > 1.5) {
      MPI_File_read_at(more, place, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
      stride = 1;
    } else
      stride = high < 0.5 ? 3 : 2;
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (step % 7);
    blocks++;
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_File_close(&more);
  sum += blocks;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("step-in-a-branch %.3f\n", total);
  MPI_Finalize();
  return 0;
}
