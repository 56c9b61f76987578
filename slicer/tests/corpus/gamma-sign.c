/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: lgamma leaves a sign in a variable of libm, which the program uses long after the call.
 * The slicer must keep calls and variable, and the pre-execution thread, which the time of day keeps
 * one step ahead, must have a variable of its own. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { kLength = 22, kBlocks = 60, kPauseUs = 500 };

/* Of every second step it is negative. */
static double argument(int step) { return step % 2 == 0 ? 1.5 + step : -0.5 - step / 2 * 2; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double values[kLength];
  double (*const forms[])(double) = {lgamma, gamma};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "gamma-sign.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b % 7 + i;
    MPI_File_write(file, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "gamma-sign.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0;
  for (int step = 0; step < 40; step++) {
    double size = step % 4 < 2    ? lgamma(argument(step))
                  : step % 8 == 2 ? lgammaf((float)argument(step))
                  : step % 8 == 3 ? (double)lgammal(argument(step))
                                  : forms[step / 8 % 2](argument(step));
    int past = time(NULL) < 0;
    int block = (int)(fabs(size) * 10 + 3 * signgam + kBlocks + rank + past) % kBlocks;
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    usleep(kPauseUs);
    for (int i = 0; i < kLength; i++)
      sum += signgam * values[i] * (step + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("gamma-sign %.0f\n", total);
  MPI_Finalize();
  return 0;
}
