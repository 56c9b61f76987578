/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: global variables of another unit decide what is read.
 * The slicer must link them across units and give the slice a private copy of those it writes. */
#include <mpi.h>
#include <stdio.h>

#include "config.h"

static void makeInput(int rank) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, dataPath, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int i = 0; rank == 0 && i < 900; i++) {
    double value = i % 37;
    MPI_File_write(file, &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static double readRuns(MPI_File file) {
  double values[32], sum = 0;
  for (int i = config.first; i + config.length < 900; i += config.length * config.stride) {
    MPI_File_read_at(file, i * 8, values, config.length, MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int k = 0; k < config.length; k++)
      sum += values[k] * (verbosity + 1);
  }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  makeInput(rank);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, dataPath, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  configure(rank);
  double sum = readRuns(file), total = 0;
  configure(rank + 1);
  config.length += 4;
  sum += readRuns(file);
  MPI_File_close(&file);

  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%s %.0f\n", config.title, total);
  MPI_Finalize();
  return 0;
}
