/* SPDX-License-Identifier: Apache-2.0 */
/* Blocked: blocks of 50 elements at multiples of 512 bytes, in an order that a table in front says.
 */
#include "backend.h"

#include <stdlib.h>

enum { kBlock = 50, kBlockBytes = 512, kMostBlocks = 60, kTableBytes = 1024 };

struct Blocked {
  struct Store base;
  struct {
    long elements;
    int blocks, places[kMostBlocks];
  } table;
};

static struct Store *create(const char *path, long elements) {
  struct Blocked *store = (struct Blocked *)newStore(&blockedBackend, sizeof *store, path,
                                                     MPI_MODE_CREATE | MPI_MODE_RDWR);
  if (!store)
    return NULL;
  store->base.elements = store->table.elements = elements;
  store->table.blocks = (int)((elements + kBlock - 1) / kBlock);
  for (int b = 0; b < store->table.blocks; b++)
    store->table.places[b] = b % 2 ? store->table.blocks - 1 - b / 2 : b / 2;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_File_write_at(store->base.file, 0, &store->table, (int)sizeof store->table, MPI_BYTE,
                      MPI_STATUS_IGNORE);
  return &store->base;
}

static struct Store *openStore(const char *path) {
  struct Blocked *store =
      (struct Blocked *)newStore(&blockedBackend, sizeof *store, path, MPI_MODE_RDONLY);
  if (!store)
    return NULL;
  MPI_File_read_at_all(store->base.file, 0, &store->table, (int)sizeof store->table, MPI_BYTE,
                       MPI_STATUS_IGNORE);
  store->base.elements = store->table.elements;
  return &store->base;
}

static MPI_Offset place(const struct Blocked *store, long element) {
  return kTableBytes + (MPI_Offset)store->table.places[element / kBlock] * kBlockBytes +
         element % kBlock * (MPI_Offset)sizeof(double);
}

/* As much as lies in one piece. */
static int piece(long first, int count) {
  int left = kBlock - (int)(first % kBlock);
  return left < count ? left : count;
}

static void readElements(struct Store *base, long first, int count, double *into) {
  struct Blocked *store = (struct Blocked *)base;
  while (count > 0) {
    int now = piece(first, count);
    MPI_File_read_at(base->file, place(store, first), into, now, MPI_DOUBLE, MPI_STATUS_IGNORE);
    first += now;
    into += now;
    count -= now;
  }
}

static void writeElements(struct Store *base, long first, int count, const double *from) {
  struct Blocked *store = (struct Blocked *)base;
  while (count > 0) {
    int now = piece(first, count);
    MPI_File_write_at(base->file, place(store, first), from, now, MPI_DOUBLE, MPI_STATUS_IGNORE);
    first += now;
    from += now;
    count -= now;
  }
}

static long length(const struct Store *store) { return store->elements; }

static void closeStore(struct Store *store) { releaseStore(store); }

const struct Backend blockedBackend = {"blocked",     create, openStore, readElements,
                                       writeElements, length, closeStore};
