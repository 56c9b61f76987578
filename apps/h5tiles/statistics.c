/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics.h"

#include "field.h"

#include <mpi.h>
#include <string.h>

struct Statistics statisticsOf(const double *values, hsize_t count) {
  struct Statistics s = {values[0], values[0], 0};
  double sum = 0;
  for (hsize_t i = 0; i < count; i++) {
    s.min = values[i] < s.min ? values[i] : s.min;
    s.max = values[i] > s.max ? values[i] : s.max;
    sum += values[i];
  }
  s.mean = sum / (double)count;
  return s;
}

struct Statistics mergedStatistics(const struct Statistics *parts, hsize_t count) {
  struct Statistics s = {parts[0].min, parts[0].max, 0};
  double sum = 0;
  for (hsize_t i = 0; i < count; i++) {
    s.min = parts[i].min < s.min ? parts[i].min : s.min;
    s.max = parts[i].max > s.max ? parts[i].max : s.max;
    sum += parts[i].mean;
  }
  s.mean = sum / (double)count;
  return s;
}

void gatherStatistics(struct Statistics *parts, hsize_t count) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int numbers = (int)(count * sizeof *parts / sizeof(double));
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : parts, rank == 0 ? parts : NULL, numbers, MPI_DOUBLE,
             MPI_SUM, 0, MPI_COMM_WORLD);
}

void addToHistogram(long long histogram[kBins], const double *values, hsize_t count) {
  for (hsize_t i = 0; i < count; i++) {
    const double place = (values[i] - kFieldLow) * kBins / (kFieldHigh - kFieldLow);
    histogram[place >= kBins ? kBins - 1 : place >= 0 ? (int)place : 0]++;
  }
}

static double meanAround(const double *at, hsize_t x, hsize_t y, hsize_t z,
                         const hsize_t count[3]) {
  const hsize_t row = count[2], plane = count[1] * count[2];
  double sum = *at;
  int cells = 1;
  if (x > 0)
    sum += *(at - plane), cells++;
  if (x + 1 < count[0])
    sum += *(at + plane), cells++;
  if (y > 0)
    sum += *(at - row), cells++;
  if (y + 1 < count[1])
    sum += *(at + row), cells++;
  if (z > 0)
    sum += *(at - 1), cells++;
  if (z + 1 < count[2])
    sum += *(at + 1), cells++;
  return sum / cells;
}

void smooth(double *values, double *scratch, const hsize_t count[3], long sweeps) {
  for (long sweep = 0; sweep < sweeps; sweep++) {
    hsize_t i = 0;
    for (hsize_t x = 0; x < count[0]; x++)
      for (hsize_t y = 0; y < count[1]; y++)
        for (hsize_t z = 0; z < count[2]; z++, i++)
          scratch[i] = meanAround(values + i, x, y, z, count);
    memcpy(values, scratch, i * sizeof *values);
  }
}
