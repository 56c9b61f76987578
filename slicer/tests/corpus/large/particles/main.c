/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a particle reader over four units: a header, an index of domains, a selection by region,
 * and only those arrays of a domain that are wanted.
 *
 * The slicer must fetch header and index, keep the selection (it is computed from the index) and
 * the sizes, and leave out the physics. */
#include "particles.h"

#include <stdio.h>

enum { kBins = 16, kQueries = 4 };

struct Result {
  double energy;
  long bins[kBins];
  long numbers, outside, domains;
};

struct Query {
  float low[3], high[3];
  unsigned wanted;
};

static const struct Query queries[kQueries] = {
    {{0, 0, 0}, {64, 64, 64}, WantPositions},
    {{10, 0, 0}, {30, 64, 64}, WantVelocities | WantNumbers},
    {{25, 10, 10}, {26, 20, 20}, WantPositions | WantVelocities | WantNumbers},
    {{70, 0, 0}, {80, 64, 64}, WantPositions},
};

static void evaluate(const struct Particles *particles, const struct Query *query, double box,
                     struct Result *result) {
  result->domains++;
  if (query->wanted & WantVelocities)
    result->energy += kineticEnergy(particles);
  if (query->wanted & WantPositions)
    result->outside += histogram(particles, box, result->bins, kBins);
  if (query->wanted & WantNumbers)
    result->numbers += numberSum(particles);
}

static int answer(struct Reader *reader, const struct Query *query, int rank, int ranks,
                  struct Result *result) {
  struct Particles particles = {0};
  uint32_t turn = 0;
  for (uint32_t d = 0; d < reader->header.domains; d++) {
    if (!overlaps(&reader->domains[d], query->low, query->high))
      continue;
    if ((int)(turn++ % (uint32_t)ranks) != rank)
      continue;
    if (!readDomain(reader, d, query->wanted, &particles))
      return 0;
    evaluate(&particles, query, reader->header.box, result);
  }
  freeParticles(&particles);
  return 1;
}

int main(int argc, char **argv) {
  const char *path = "particles.snapshot";
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    makeParticleFile(path);
  MPI_Barrier(MPI_COMM_WORLD);

  struct Reader reader;
  if (!openReader(&reader, path)) {
    fprintf(stderr, "particles: cannot read %s\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  struct Result result = {0};
  for (int q = 0; q < kQueries; q++)
    if (!answer(&reader, &queries[q], rank, ranks, &result)) {
      fprintf(stderr, "particles: query %d failed\n", q);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  closeReader(&reader);

  double energy = 0;
  long mine[kBins + 3], all[kBins + 3];
  for (int b = 0; b < kBins; b++)
    mine[b] = result.bins[b];
  mine[kBins] = result.numbers;
  mine[kBins + 1] = result.outside;
  mine[kBins + 2] = result.domains;
  MPI_Reduce(&result.energy, &energy, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(mine, all, kBins + 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("particles: energy %.6f, numbers %ld, outside %ld, domains %ld\n", energy, all[kBins],
           all[kBins + 1], all[kBins + 2]);
    for (int b = 0; b < kBins; b++)
      printf("%ld%c", all[b], b == kBins - 1 ? '\n' : ' ');
  }
  MPI_Finalize();
  return 0;
}
