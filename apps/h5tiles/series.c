/* SPDX-License-Identifier: Apache-2.0 */
/* Mode series: the steps one after the other; in each, every rank reads its slab, smooths each of its
 * planes and computes their statistics. */
#include "errors.h"
#include "modes.h"
#include "picture.h"
#include "statistics.h"
#include "store.h"
#include "timing.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each plane by itself, so that nothing depends on which rank has the next one. */
static void workOnPlanes(double *values, double *scratch, const struct Box *slab, long sweeps,
                         struct Statistics *planes) {
  const hsize_t plane[] = {1, slab->count[kY], slab->count[kZ]};
  for (hsize_t x = 0; x < slab->count[kX]; x++) {
    double *at = values + x * planeElements(slab);
    smooth(at, scratch, plane, sweeps);
    planes[slab->start[kX] + x] = statisticsOf(at, planeElements(slab));
  }
}

static void print(const struct Store *store, hsize_t step, const struct Statistics *planes) {
  const struct Statistics s = mergedStatistics(planes, store->extent[kX]);
  printf("step %llu cycle %ld time %g min %.15g max %.15g mean %.15g\n", (unsigned long long)step,
         store->cycles[step], timeOf(store, step), s.min, s.max, s.mean);
}

/* The plane in the middle of z, of which each rank has some rows. */
static void drawMiddle(const struct Store *store, const struct Box *slab, const double *values,
                       const char *path) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const hsize_t height = store->extent[kX], width = store->extent[kY], depth = store->extent[kZ];
  double *mine = memoryFor(width * height, sizeof *mine, path);
  double *all = memoryFor(width * height, sizeof *all, path);
  for (hsize_t row = 0; row < slab->count[kX]; row++)
    for (hsize_t y = 0; y < width; y++)
      mine[(slab->start[kX] + row) * width + y] = values[(row * width + y) * depth + depth / 2];
  MPI_Reduce(mine, all, (int)(width * height), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  must(rank != 0 || writePicture(path, all, width, height), "write", path);
  free(all);
  free(mine);
}

void readSeries(const struct Options *options) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Store store = openStore(options);
  const hsize_t allPlanes = store.extent[kX];
  struct Box slab = slabOf(store.extent, 0, rank, ranks);
  double *values = memoryFor(elements(&slab), sizeof *values, options->file);
  double *scratch = memoryFor(planeElements(&slab), sizeof *scratch, options->file);
  struct Statistics *planes = memoryFor(allPlanes, sizeof *planes, options->file);
  if (rank == 0)
    printf("%llu steps of %llu x %llu x %llu, spacing %g %g %g\n",
           (unsigned long long)store.extent[kStep], (unsigned long long)store.extent[kX],
           (unsigned long long)store.extent[kY], (unsigned long long)store.extent[kZ],
           store.spacing[0], store.spacing[1], store.spacing[2]);

  struct Times times = {0, 0};
  for (hsize_t step = 0; step < store.extent[kStep]; step++) {
    slab = slabOf(store.extent, step, rank, ranks);
    const double start = MPI_Wtime();
    const herr_t got = readBox(&store, &slab, values);
    const double read = MPI_Wtime();
    must(got >= 0, "read a step of", options->file);
    memset(planes, 0, allPlanes * sizeof *planes);
    workOnPlanes(values, scratch, &slab, options->sweeps, planes);
    times.reading += read - start;
    times.computing += MPI_Wtime() - read;
    gatherStatistics(planes, allPlanes);
    if (rank == 0)
      print(&store, step, planes);
  }

  if (options->picture)
    drawMiddle(&store, &slab, values, options->picture);
  if (options->times)
    printTimes(&times);
  free(planes);
  free(scratch);
  free(values);
  closeStore(&store);
}
