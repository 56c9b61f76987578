/* SPDX-License-Identifier: Apache-2.0 */
/* Packed: elements as 16-bit numbers with a scale for each run of 64, that stands ahead of it. */
#include "backend.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { kRun = 64 };

struct Run {
  double scale;
  int16_t values[kRun];
};

struct Packed {
  struct Store base;
  struct Run cache;
  long cached; /* number of the run, -1: none */
};

static struct Store *made(const char *path, int mode) {
  struct Packed *store = (struct Packed *)newStore(&packedBackend, sizeof *store, path, mode);
  if (!store)
    return NULL;
  store->cached = -1;
  return &store->base;
}

static struct Store *create(const char *path, long elements) {
  struct Store *store = made(path, MPI_MODE_CREATE | MPI_MODE_RDWR);
  if (store)
    store->elements = elements;
  return store;
}

static struct Store *openStore(const char *path) {
  struct Store *store = made(path, MPI_MODE_RDONLY);
  if (store) {
    MPI_Offset bytes;
    MPI_File_get_size(store->file, &bytes);
    store->elements = (long)(bytes / (MPI_Offset)sizeof(struct Run)) * kRun;
  }
  return store;
}

static const struct Run *load(struct Packed *store, long number) {
  if (store->cached != number) {
    MPI_File_read_at(store->base.file, number * (MPI_Offset)sizeof(struct Run), &store->cache,
                     (int)sizeof store->cache, MPI_BYTE, MPI_STATUS_IGNORE);
    store->cached = number;
  }
  return &store->cache;
}

static void readElements(struct Store *base, long first, int count, double *into) {
  struct Packed *store = (struct Packed *)base;
  for (long e = first; e < first + count; e++) {
    const struct Run *run = load(store, e / kRun);
    *into++ = run->values[e % kRun] * run->scale;
  }
}

/* Only whole runs are written. */
static void writeElements(struct Store *base, long first, int count, const double *from) {
  for (int at = 0; at + kRun <= count; at += kRun) {
    struct Run run;
    double most = 0;
    for (int i = 0; i < kRun; i++)
      most = fmax(most, fabs(from[at + i]));
    run.scale = most > 0 ? most / 32000 : 1;
    for (int i = 0; i < kRun; i++)
      run.values[i] = (int16_t)lround(from[at + i] / run.scale);
    MPI_File_write_at(base->file, (first + at) / kRun * (MPI_Offset)sizeof run, &run,
                      (int)sizeof run, MPI_BYTE, MPI_STATUS_IGNORE);
  }
}

static long length(const struct Store *store) { return store->elements; }

const struct Backend packedBackend = {
    .name = "packed",
    .create = create,
    .open = openStore,
    .read = readElements,
    .write = writeElements,
    .length = length,
    .close = releaseStore,
};
