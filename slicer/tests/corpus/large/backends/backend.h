/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_H
#define BACKEND_H

#include <mpi.h>
#include <stddef.h>

/* Storage of an array of doubles behind a table of functions, as benchmarks and libraries have it.
 * Each backend is a unit of its own with its own idea of a layout. */

struct Store;

struct Backend {
  const char *name;
  struct Store *(*create)(const char *path, long elements);
  struct Store *(*open)(const char *path);
  void (*read)(struct Store *store, long first, int count, double *into);
  void (*write)(struct Store *store, long first, int count, const double *from);
  long (*length)(const struct Store *store);
  void (*close)(struct Store *store);
};

/* What all stores begin with. */
struct Store {
  const struct Backend *backend;
  MPI_File file;
  long elements;
};

extern const struct Backend flatBackend, blockedBackend, packedBackend;

/* registry.c */
const struct Backend *findBackend(const char *name);
int backendCount(void);
const struct Backend *backendAt(int number);
struct Store *newStore(const struct Backend *backend, size_t bytes, const char *path, int mode);
void releaseStore(struct Store *store);

static inline void storeRead(struct Store *store, long first, int count, double *into) {
  store->backend->read(store, first, count, into);
}

static inline void storeWrite(struct Store *store, long first, int count, const double *from) {
  store->backend->write(store, first, count, from);
}

#endif
