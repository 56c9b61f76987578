/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: where a block is better than the best one so far, the two buffers change places, with
 * their sizes. So a computed condition defines where the next block goes and how long it is, but
 * both sizes are the same: a wrong prediction of it does no harm, and must not be waited for. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 300, kBlocks = 300, kStepMs = 2 };

struct block {
  double *values;
  int length;
};

static double distance(const struct block *one, const struct block *other) {
  double sum = 0;
  for (int i = 0; i < one->length; i++)
    sum += fabs(one->values[i] - other->values[i]);
  return sum;
}

static void load(MPI_File file, int number, struct block *to) {
  MPI_File_read_at(file, number * (MPI_Offset)(kLength * sizeof(double)), to->values, to->length,
                   MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank, ranks, best = 0, changes = 0;
  double nearest = 1e300, sum = 0, total = 0;
  struct block now = {malloc(kLength * sizeof(double)), kLength};
  struct block kept = {malloc(kLength * sizeof(double)), kLength};
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "better-of-two.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < kBlocks; b += ranks) {
    for (int i = 0; i < kLength; i++)
      now.values[i] = sin(b * 0.37 + i) * (1 + b * 7 % 13);
    MPI_File_write_at(file, b * (MPI_Offset)(kLength * sizeof(double)), now.values, kLength,
                      MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "better-of-two.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  load(file, 0, &kept);
  for (int b = 1; b < kBlocks; b++) {
    load(file, (b * 7 + rank) % kBlocks, &now);
    const double far = distance(&now, &kept);
    sum += far;
    if (far < nearest) {
      const struct block old = kept;
      kept = now;
      now = old;
      nearest = far;
      best = b;
      changes++;
    }
    if (b % 40 == 0)
      nearest *= 1.5;
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("better-of-two %d %d %.6f\n", best, changes, total);
  free(now.values);
  free(kept.values);
  MPI_Finalize();
  return 0;
}
