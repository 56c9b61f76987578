/* SPDX-License-Identifier: Apache-2.0 */
/* Flat: the elements, and nothing else. */
#include "backend.h"

#include <stdlib.h>

static struct Store *create(const char *path, long elements) {
  struct Store *store =
      newStore(&flatBackend, sizeof *store, path, MPI_MODE_CREATE | MPI_MODE_RDWR);
  if (store)
    store->elements = elements;
  return store;
}

static struct Store *openStore(const char *path) {
  struct Store *store = newStore(&flatBackend, sizeof *store, path, MPI_MODE_RDONLY);
  MPI_Offset bytes;
  if (!store)
    return NULL;
  MPI_File_get_size(store->file, &bytes);
  store->elements = (long)(bytes / (MPI_Offset)sizeof(double));
  return store;
}

static void readElements(struct Store *store, long first, int count, double *into) {
  MPI_File_read_at(store->file, first * (MPI_Offset)sizeof *into, into, count, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
}

static void writeElements(struct Store *store, long first, int count, const double *from) {
  MPI_File_write_at(store->file, first * (MPI_Offset)sizeof *from, from, count, MPI_DOUBLE,
                    MPI_STATUS_IGNORE);
}

static long length(const struct Store *store) { return store->elements; }

const struct Backend flatBackend = {.name = "flat",
                                    .create = create,
                                    .open = openStore,
                                    .read = readElements,
                                    .write = writeElements,
                                    .length = length,
                                    .close = releaseStore};
