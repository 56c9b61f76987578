/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: storage backends behind tables of function pointers over five units; static functions of
 * the same names in each, structures that begin with a common one, a cache in one of them.
 *
 * The slicer must resolve calls through the tables, clone each backend in its unit, cast between
 * the common and the own structure as the program does, and fetch the table of the blocked backend.
 */
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>

enum { kElements = 1920, kChunk = 64, kWalks = 3 };

static int rank, ranks;

static double elementAt(long i) { return (double)(i * 37 % 101) - 50; }

static int fill(const struct Backend *backend, const char *path) {
  struct Store *store = backend->create(path, kElements);
  if (!store)
    return 0;
  for (long first = rank * kChunk; first < kElements; first += ranks * kChunk) {
    double chunk[kChunk];
    for (int i = 0; i < kChunk; i++)
      chunk[i] = elementAt(first + i);
    storeWrite(store, first, kChunk, chunk);
  }
  backend->close(store);
  return 1;
}

/* ---- ways through the elements ---- */

struct Walk {
  long at, length;
  int step, size;
};

typedef int (*Advance)(struct Walk *walk);

static int sequential(struct Walk *walk) {
  walk->at += walk->size;
  return walk->at < walk->length;
}

static int strided(struct Walk *walk) {
  walk->at += (long)walk->size * 3 + rank;
  return walk->at < walk->length;
}

static int jumping(struct Walk *walk) {
  walk->at = (walk->at * 5 + 77) % (walk->length - walk->size);
  return ++walk->step < 14;
}

static const Advance ways[kWalks] = {sequential, strided, jumping};

/* ---- what is computed ---- */

struct Moments {
  double sum, squares;
  long count;
};

static void add(struct Moments *moments, const double *values, int n) {
  for (int i = 0; i < n; i++) {
    moments->sum += values[i];
    moments->squares += values[i] * values[i];
  }
  moments->count += n;
}

static void walkThrough(struct Store *store, Advance advance, int size, struct Moments *moments) {
  double *values = malloc((size_t)size * sizeof *values);
  struct Walk walk = {rank * 40L, store->backend->length(store), 0, size};
  do {
    int count = (int)(walk.length - walk.at < size ? walk.length - walk.at : size);
    storeRead(store, walk.at, count, values);
    add(moments, values, count);
  } while (advance(&walk));
  free(values);
}

static int examine(const struct Backend *backend) {
  char path[64];
  snprintf(path, sizeof path, "backends.%s", backend->name);
  if (!fill(backend, path))
    return 0;
  struct Store *store = backend->open(path);
  if (!store)
    return 0;
  for (int w = 0; w < kWalks; w++) {
    struct Moments mine = {0}, all = {0};
    walkThrough(store, ways[w], 30 + 20 * w, &mine);
    MPI_Reduce(&mine.sum, &all.sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine.count, &all.count, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      printf("%s %d: %ld elements, mean %.3f, square %.1f\n", backend->name, w, all.count,
             all.sum / (double)all.count, all.squares / (double)all.count);
  }
  store->backend->close(store);
  return 1;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int good = 1;
  if (argc > 1)
    for (int i = 1; i < argc && good; i++) {
      const struct Backend *backend = findBackend(argv[i]);
      good = backend && examine(backend);
    }
  else
    for (int b = 0; b < backendCount() && good; b++)
      good = examine(backendAt(b));
  MPI_Finalize();
  return good ? 0 : 1;
}
