/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct Backend *const backends[] = {&flatBackend, &blockedBackend, &packedBackend};

int backendCount(void) { return (int)(sizeof backends / sizeof *backends); }

const struct Backend *backendAt(int number) { return backends[number]; }

const struct Backend *findBackend(const char *name) {
  for (int b = 0; b < backendCount(); b++)
    if (!strcmp(backends[b]->name, name))
      return backends[b];
  fprintf(stderr, "no backend is called %s\n", name);
  return NULL;
}

/* `bytes`: a backend's own store, which begins with struct Store. */
struct Store *newStore(const struct Backend *backend, size_t bytes, const char *path, int mode) {
  struct Store *store = calloc(1, bytes);
  if (!store)
    return NULL;
  store->backend = backend;
  if (MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &store->file)) {
    free(store);
    return NULL;
  }
  return store;
}

void releaseStore(struct Store *store) {
  MPI_File_close(&store->file);
  free(store);
}
