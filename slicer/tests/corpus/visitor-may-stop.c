/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a function that the caller gives visits each block, and may end the loop by what it
 * returns; the loop's condition asks both for the bound and for that, and so does its caller. The
 * slicer must not take the visitors' computing in, although their results are in conditions. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kBlocks = 64, kLength = 256, kStepUs = 1000 };

struct Sums {
  double sum, largest;
  int count;
};
typedef int (*Visit)(const double *values, int block, void *to);

static int add(const double *values, int block, void *to) {
  struct Sums *sums = to;
  for (int i = 0; i < kLength; i++)
    sums->sum += values[i] * (1 + block % 4);
  sums->count++;
  usleep(kStepUs);
  return 0;
}

static int compare(const double *values, int block, void *to) {
  struct Sums *sums = to;
  double norm = 0;
  for (int turn = 0; turn < 20; turn++)
    for (int i = 0; i < kLength; i++)
      norm += sqrt(values[i] + turn + block);
  if (norm > sums->largest)
    sums->largest = norm;
  sums->count++;
  usleep(kStepUs);
  return isnan(norm) ? 1 : 0;
}

static int forEach(MPI_File file, int first, int step, Visit visit, void *to) {
  double *values = malloc(kLength * sizeof *values);
  int status = 0;
  for (int b = first; b < kBlocks && status == 0; b += step) {
    if (MPI_File_read_at(file, (MPI_Offset)(b * 7 % kBlocks) * kLength * 8, values, kLength,
                         MPI_DOUBLE, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      status = -1;
    else
      status = visit(values, b, to);
  }
  int b = first;
  while (status == 0 && b < kBlocks) {
    MPI_File_read_at(file, (MPI_Offset)b * kLength * 8, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    status = visit(values, b, to);
    b += step;
  }
  b = first;
  do {
    MPI_File_read_at(file, (MPI_Offset)(b * 3 % kBlocks) * kLength * 8, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    status |= visit(values, b, to);
    b += step;
  } while (b < kBlocks && !status);
  free(values);
  return status;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "visitor-may-stop.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  double values[kLength];
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 0.5 + i % 17;
    MPI_File_write(file, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "visitor-may-stop.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  const Visit visits[] = {add, compare};
  struct Sums sums = {0, 0, 0};
  const char *name = argc > 0 ? argv[0] : NULL;
  for (int v = 0; v < 2; v++)
    if (name && forEach(file, rank, size, visits[v], &sums) != 0)
      fprintf(stderr, "stopped\n");
  MPI_File_close(&file);
  double mine[3] = {sums.sum, sums.largest, sums.count}, all[3];
  MPI_Reduce(mine, all, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("visitor-may-stop %.6f %.6f %.0f\n", all[0], all[1], all[2]);
  MPI_Finalize();
  return 0;
}
