/* SPDX-License-Identifier: Apache-2.0 */
#include "patterns.h"

#include <math.h>
#include <stdio.h>

enum {
  kBound = 64,   /* of an inner loop of Search */
  kFound = 16,   /* how far it goes */
  kStretch = 24, /* how many steps of Branch read one block, then two */
  kRows = 8,     /* of a block, as Datatypes sees it */
  kAttempts = 4, /* at a read that brings nothing */
  kLimitS = 24 * 60 * 60,
};

const char *const patternNames[kPatterns] = {"datatypes", "topology", "statuses", "residual",
                                             "stride",    "search",   "branch",   "clock"};

long blocksNeeded(long steps, int ranks) {
  return (kBound / kFound + 1) * (steps + kBound) * ranks;
}

static void must(int rc) {
  if (rc == MPI_SUCCESS)
    return;
  fprintf(stderr, "patterns: a read has failed\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* The number of this rank's block of a step, and the step of a block of that mean. */
static long mine(const struct Walk *walk, long step) { return step * walk->ranks + walk->rank; }
static long stepOf(const struct Walk *walk, double mean) { return (long)mean / walk->ranks; }

static double datatypes(struct Walk *walk) {
  double values[kLength], sum = 0;
  const int width = kLength / kRows;
  for (long step = 0; step < walk->steps; step++) {
    const int all[2] = {(int)walk->blocks.count * kRows, width}, part[2] = {kRows, width};
    const int start[2] = {(int)placeOf(&walk->blocks, mine(walk, step)) * kRows, 0};
    MPI_Datatype view;
    MPI_Type_create_subarray(2, all, part, start, MPI_ORDER_C, MPI_DOUBLE, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(walk->blocks.file, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
    MPI_Type_free(&view);
    must(MPI_File_read(walk->blocks.file, values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE));
    sum += meanOf(values, walk->turns);
  }
  return sum;
}

/* The block of the rank `by` columns to the right. */
static void readBeside(const struct Walk *walk, long step, int by, double *values) {
  int rank, ranks, dims[2], periods[2], coords[2];
  MPI_Cart_get(walk->grid, 2, dims, periods, coords);
  coords[1] += by;
  MPI_Cart_rank(walk->grid, coords, &rank);
  MPI_Comm_size(walk->grid, &ranks);
  must(readBlock(&walk->blocks, step * ranks + rank, values));
}

static void readBelow(const struct Walk *walk, long step, double *values) {
  int from, to, ranks;
  MPI_Cart_shift(walk->grid, 0, 1, &from, &to);
  MPI_Comm_size(walk->grid, &ranks);
  must(readBlock(&walk->blocks, step * ranks + to, values));
}

static double topology(struct Walk *walk) {
  double values[kLength], sum = 0;
  for (long step = 0; step < walk->steps; step++) {
    if (step % 3 == 0)
      readBelow(walk, step, values);
    else
      readBeside(walk, step, (int)(step % 3), values);
    sum += meanOf(values, walk->turns);
  }
  return sum;
}

/* 0, or -1 if what was read stays less than a block. */
static int readFully(const struct Walk *walk, long number, double *values) {
  const MPI_Offset start = placeOf(&walk->blocks, number) * kLength * (MPI_Offset)sizeof *values;
  int done = 0, attempts = 0;
  while (done < kLength) {
    MPI_Status status;
    int got;
    must(MPI_File_read_at(walk->blocks.file, start + done * (MPI_Offset)sizeof *values,
                          values + done, kLength - done, MPI_DOUBLE, &status));
    MPI_Get_count(&status, MPI_DOUBLE, &got);
    if (got == 0 && ++attempts == kAttempts)
      return -1;
    done += got;
  }
  return 0;
}

static double statuses(struct Walk *walk) {
  double values[kLength], sum = 0;
  for (long step = 0; step < walk->steps; step++) {
    if (readFully(walk, mine(walk, step), values) != 0)
      must(MPI_ERR_IO);
    sum += meanOf(values, walk->turns);
  }
  return sum;
}

static double residual(struct Walk *walk) {
  double values[kLength], sum = 0, greatest = 1;
  for (long step = 0; greatest > 1 / (double)walk->steps; step++) {
    must(readBlock(&walk->blocks, mine(walk, step), values));
    const double mean = meanOf(values, walk->turns);
    sum += mean;
    double own = 1 / (1.0 + (double)stepOf(walk, mean));
    MPI_Allreduce(&own, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  return sum;
}

static double stride(struct Walk *walk) {
  double values[kLength], sum = 0;
  long step = 0;
  while (step < walk->steps) {
    must(readBlock(&walk->blocks, mine(walk, step), values));
    const double mean = meanOf(values, walk->turns);
    sum += mean;
    long own = stepOf(walk, mean) % kBound == kBound - 1 ? 2 : 1, greatest;
    MPI_Allreduce(&own, &greatest, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    step += greatest;
  }
  return sum;
}

static double search(struct Walk *walk) {
  double values[kLength], sum = 0;
  for (long first = 0; first < walk->steps / kFound; first++)
    for (long turn = 0; turn < kBound; turn++) {
      must(readBlock(&walk->blocks, mine(walk, first * kBound + turn), values));
      const double mean = meanOf(values, walk->turns);
      sum += mean;
      double own = (double)(stepOf(walk, mean) % kBound), greatest;
      MPI_Allreduce(&own, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (greatest >= kFound - 1)
        break;
    }
  return sum;
}

static double branch(struct Walk *walk) {
  double values[kLength], sum = 0;
  for (long step = 0; step < walk->steps; step++) {
    must(readBlock(&walk->blocks, mine(walk, step), values));
    const double mean = meanOf(values, walk->turns);
    sum += mean;
    if (stepOf(walk, mean) / kStretch % 2 == 1) {
      must(readBlock(&walk->blocks, mine(walk, walk->steps + step), values));
      sum += sqrt(meanOf(values, walk->turns));
    }
  }
  return sum;
}

static double timedRead(const struct Walk *walk, long number, double *values) {
  const double begin = MPI_Wtime();
  must(readBlock(&walk->blocks, number, values));
  return MPI_Wtime() - begin;
}

static double clocked(struct Walk *walk) {
  double values[kLength], sum = 0, reading = 0;
  const double begin = MPI_Wtime();
  for (long step = 0; step < walk->steps && MPI_Wtime() - begin < kLimitS; step++) {
    reading += timedRead(walk, mine(walk, step), values);
    sum += meanOf(values, walk->turns);
  }
  return reading < 0 ? 0 : sum;
}

double runPattern(struct Walk *walk, enum Pattern pattern) {
  switch (pattern) {
  case Datatypes:
    return datatypes(walk);
  case Topology:
    return topology(walk);
  case Statuses:
    return statuses(walk);
  case Residual:
    return residual(walk);
  case Stride:
    return stride(walk);
  case Search:
    return search(walk);
  case Branch:
    return branch(walk);
  default:
    return clocked(walk);
  }
}
