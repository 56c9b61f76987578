/* SPDX-License-Identifier: Apache-2.0 */
/* Mode tiles: each rank reads its share of random tiles of the field, one after the other, smooths
 * each and computes its statistics. */
#include "errors.h"
#include "field.h"
#include "modes.h"
#include "picture.h"
#include "statistics.h"
#include "store.h"
#include "timing.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Results {
  struct Statistics *tiles; /* of each */
  long long histogram[kBins];
  struct Times times;
  int failed; /* reads */
};

/* Splitmix64: the n-th of its numbers for this seed. */
static uint64_t randomNumber(uint64_t seed, uint64_t n) {
  uint64_t mixed = seed + (n + 1) * 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

/* Where a tile lies depends on the seed and its number alone. */
static struct Box tileOf(const struct Store *store, const struct Options *options, long number) {
  struct Box tile = {.count = {1, options->tile[0], options->tile[1], options->tile[2]}};
  for (int d = 0; d < kDimensions; d++) {
    const uint64_t random =
        randomNumber(options->seed, (uint64_t)number * kDimensions + (uint64_t)d);
    tile.start[d] = random % (store->extent[d] - tile.count[d] + 1);
  }
  return tile;
}

static void readMine(const struct Store *store, const struct Options *options, double *values,
                     double *scratch, struct Results *results) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (long number = rank; number < options->tiles; number += ranks) {
    const struct Box tile = tileOf(store, options, number);
    const double start = MPI_Wtime();
    results->failed += readBox(store, &tile, values) < 0;
    const double read = MPI_Wtime();
    smooth(values, scratch, tile.count + kX, options->sweeps);
    results->tiles[number] = statisticsOf(values, elements(&tile));
    addToHistogram(results->histogram, values, elements(&tile));
    results->times.reading += read - start;
    results->times.computing += MPI_Wtime() - read;
  }
}

static void print(const struct Store *store, const struct Options *options,
                  const struct Results *results) {
  for (long number = 0; number < options->tiles; number++) {
    const struct Box tile = tileOf(store, options, number);
    const struct Statistics *s = &results->tiles[number];
    printf("tile %ld step %llu at %llu %llu %llu min %.15g max %.15g mean %.15g\n", number,
           (unsigned long long)tile.start[kStep], (unsigned long long)tile.start[kX],
           (unsigned long long)tile.start[kY], (unsigned long long)tile.start[kZ], s->min, s->max,
           s->mean);
  }
  const struct Statistics all = mergedStatistics(results->tiles, (hsize_t)options->tiles);
  printf("all %ld tiles min %.15g max %.15g mean %.15g\n", options->tiles, all.min, all.max,
         all.mean);
  printf("histogram");
  for (int bin = 0; bin < kBins; bin++)
    printf(" %lld", results->histogram[bin]);
  printf("\n");
}

/* The field from above: at each x and y the mean of the tiles there, in whatever step and at whatever
 * z; black where there is none. */
static int drawTiles(const struct Store *store, const struct Options *options,
                     const struct Statistics *tiles) {
  const hsize_t height = store->extent[kX], width = store->extent[kY];
  double *means = calloc(width * height, sizeof *means);
  long *covered = calloc(width * height, sizeof *covered);
  int good = means && covered;
  for (long number = 0; good && number < options->tiles; number++) {
    const struct Box tile = tileOf(store, options, number);
    for (hsize_t x = tile.start[kX]; x < tile.start[kX] + tile.count[kX]; x++)
      for (hsize_t y = tile.start[kY]; y < tile.start[kY] + tile.count[kY]; y++) {
        means[x * width + y] += tiles[number].mean;
        covered[x * width + y]++;
      }
  }
  for (hsize_t i = 0; good && i < width * height; i++)
    means[i] /= covered[i] > 0 ? (double)covered[i] : 1;
  good = good && writePicture(options->picture, means, width, height);
  free(covered);
  free(means);
  return good;
}

void readTiles(const struct Options *options) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct Store store = openStore(options);
  for (int d = 0; d < 3; d++)
    must(options->tile[d] <= store.extent[kX + d], "fit a tile of that size (--tile) into",
         options->file);
  const struct Box tile = tileOf(&store, options, 0); /* all have its size */
  double *values = memoryFor(elements(&tile), sizeof *values, options->file);
  double *scratch = memoryFor(elements(&tile), sizeof *scratch, options->file);
  struct Results results = {
      .tiles = memoryFor((size_t)options->tiles, sizeof *results.tiles, options->file)};

  readMine(&store, options, values, scratch, &results);
  must(results.failed == 0, "read a tile of", options->file);

  gatherStatistics(results.tiles, (hsize_t)options->tiles);
  long long histogram[kBins];
  MPI_Reduce(results.histogram, histogram, kBins, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int bin = 0; bin < kBins; bin++)
      results.histogram[bin] = histogram[bin];
    print(&store, options, &results);
  }
  if (options->picture)
    must(rank != 0 || drawTiles(&store, options, results.tiles), "write", options->picture);
  if (options->times)
    printTimes(&results.times);
  free(results.tiles);
  free(scratch);
  free(values);
  closeStore(&store);
}
