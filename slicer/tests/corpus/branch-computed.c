/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what a block holds decides whether its neighbour in another file is read, too; for long
 * stretches it is, or is not. The slicer must have the main thread hand over how that comes out.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 40, kBlocks = 300, kStepMs = 3 };

static void make(const char *name, int rank, int ranks) {
  double values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = sin(b * 0.01) * (i + 1);
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static int isCalm(const double *values) {
  double mean = 0;
  for (int i = 0; i < kLength; i++)
    mean += values[i] / kLength;
  return fabs(mean) < 18;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  double values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make("branch-computed.dat", rank, ranks);
  make("branch-computed.more", rank, ranks);

  MPI_File file, more;
  MPI_File_open(MPI_COMM_WORLD, "branch-computed.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_open(MPI_COMM_WORLD, "branch-computed.more", MPI_MODE_RDONLY, MPI_INFO_NULL, &more);
  double sum = 0, total = 0;
  for (int step = 0; step < kBlocks; step++) {
    MPI_Offset place = (step + rank) % kBlocks * (MPI_Offset)sizeof values;
    MPI_File_read_at(file, place, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
    if (!isCalm(values))
      MPI_File_read_at(more, place, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (step % 7);
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_File_close(&more);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("branch-computed %.3f\n", total);
  MPI_Finalize();
  return 0;
}
