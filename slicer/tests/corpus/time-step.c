/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the step in time comes from the data, by a computation of its own, and is cut at a
 * maximum, which it mostly reaches. The main thread must hand over the time, a floating-point number, and
 * the runtime predict it. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 64, kBlocks = 500 };

static double speed(const double *values) {
  double greatest = 0;
  for (int turn = 0; turn < 200; turn++)
    for (int i = 0; i < kLength; i++) {
      double here = values[i] * (1 + (i + turn) % 3 * 0.01);
      greatest = here > greatest ? here : greatest;
    }
  usleep(1000);
  return greatest;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, steps = 0;
  double values[kLength], sum = 0, total;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *made = fopen("time-step.dat", "wb");
    for (int i = 0; i < kBlocks * kLength; i++) {
      double value = i / kLength % 120 == 90 ? 3 : 1 + i % 5 * 0.1;
      fwrite(&value, sizeof value, 1, made);
    }
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "time-step.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double time = 0;
  while (time < 200) {
    MPI_File_read_at(file, (MPI_Offset)(2 * time) * kLength * (MPI_Offset)sizeof *values, values,
                     kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
    double step = 1 / speed(values);
    if (step > 0.5)
      step = 0.5;
    time += step;
    sum += values[steps++ % kLength];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("time-step %d %.3f\n", steps, total);
  MPI_Finalize();
  return 0;
}
