/* SPDX-License-Identifier: Apache-2.0 */
/* The same by netCDF-4, which reads HDF5 files. */
#include "store.h"

#include "errors.h"

#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdlib.h>

/* netCDF identifies a file and a variable by an int each. */
static int fileOf(const struct Store *store) { return (int)store->file; }
static int fieldOf(const struct Store *store) { return (int)store->field; }

static int openFile(const struct Options *options) {
  int file = -1;
  const int rc = nc_open_par(options->file, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file);
  must(rc == NC_NOERR, "open", options->file); /* metadata is always read collectively */
  return file;
}

static int openField(int file, const struct Options *options) {
  int field = -1;
  must(nc_inq_varid(file, "field", &field) == NC_NOERR, "open the field of", options->file);
  if (options->chunkCache > 0)
    nc_set_var_chunk_cache(file, field, options->chunkCache << 20, 100003, 0.75F);
  return field;
}

static void getExtent(struct Store *store) {
  int rank = 0, dimensions[kDimensions];
  must(nc_inq_varndims(fileOf(store), fieldOf(store), &rank) == NC_NOERR && rank == kDimensions,
       "find four dimensions in the field of", store->path);
  int good = nc_inq_vardimid(fileOf(store), fieldOf(store), dimensions) == NC_NOERR;
  for (int d = 0; good && d < kDimensions; d++) {
    size_t length = 0;
    good = nc_inq_dimlen(fileOf(store), dimensions[d], &length) == NC_NOERR && length > 0 &&
           (d == kStep || length <= kMaxEdge);
    store->extent[d] = length;
  }
  must(good, "work with as few or as many elements as are in", store->path);
}

static void getAttribute(const struct Store *store, const char *name, double *values, int count) {
  size_t length = 0;
  must(nc_inq_attlen(fileOf(store), fieldOf(store), name, &length) == NC_NOERR &&
           length == (size_t)count &&
           nc_get_att_double(fileOf(store), fieldOf(store), name, values) == NC_NOERR,
       "read an attribute of the field of", store->path);
}

static void getIndex(struct Store *store) {
  int index = -1, dimension = -1;
  size_t steps = 0;
  must(nc_inq_varid(fileOf(store), "index", &index) == NC_NOERR, "open the index of", store->path);
  must(nc_inq_vardimid(fileOf(store), index, &dimension) == NC_NOERR &&
           nc_inq_dimlen(fileOf(store), dimension, &steps) == NC_NOERR &&
           steps == store->extent[kStep],
       "find each step in the index of", store->path);
  store->cycles = memoryFor(steps, sizeof *store->cycles, store->path);
  must(nc_get_var_long(fileOf(store), index, store->cycles) == NC_NOERR, "read the index of",
       store->path);
}

struct Store openStore(const struct Options *options) {
  struct Store store = {.path = options->file, .file = openFile(options)};
  store.field = openField(fileOf(&store), options);
  getExtent(&store);
  getAttribute(&store, "spacing", store.spacing, 3);
  getAttribute(&store, "time", store.time, 2);
  getIndex(&store);
  return store;
}

void closeStore(struct Store *store) {
  free(store->cycles);
  must(nc_close(fileOf(store)) == NC_NOERR, "close", store->path);
}

double timeOf(const struct Store *store, hsize_t step) {
  return store->time[0] + (double)step * store->time[1];
}

herr_t readBox(const struct Store *store, const struct Box *box, double *values) {
  size_t start[kDimensions], count[kDimensions];
  for (int d = 0; d < kDimensions; d++) {
    start[d] = box->start[d];
    count[d] = box->count[d];
  }
  const int rc = nc_get_vara_double(fileOf(store), fieldOf(store), start, count, values);
  return rc == NC_NOERR ? 0 : -1;
}
