/* SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include "errors.h"

#include <mpi.h>
#include <stdlib.h>

static hid_t openFile(const struct Options *options) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  if (options->isCollective)
    H5Pset_all_coll_metadata_ops(access, 1);
  const hid_t file = H5Fopen(options->file, H5F_ACC_RDONLY, access);
  must(file >= 0, "open", options->file);
  H5Pclose(access);
  return file;
}

static hid_t openField(hid_t file, const struct Options *options) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  if (options->chunkCache > 0) /* a prime number of slots, many for each chunk */
    H5Pset_chunk_cache(access, 100003, options->chunkCache << 20, H5D_CHUNK_CACHE_W0_DEFAULT);
  const hid_t field = H5Dopen2(file, "field", access);
  must(field >= 0, "open the field of", options->file);
  H5Pclose(access);
  return field;
}

static void getExtent(struct Store *store) {
  const hid_t space = H5Dget_space(store->field);
  must(H5Sget_simple_extent_ndims(space) == kDimensions, "find four dimensions in the field of",
       store->path);
  H5Sget_simple_extent_dims(space, store->extent, NULL);
  int good = 1;
  for (int d = 0; d < kDimensions; d++)
    good = good && store->extent[d] > 0 && (d == kStep || store->extent[d] <= kMaxEdge);
  must(good, "work with as few or as many elements as are in", store->path);
  H5Sclose(space);
}

static void getAttribute(const struct Store *store, const char *name, double *values, int count) {
  const hid_t attribute = H5Aopen(store->field, name, H5P_DEFAULT);
  must(attribute >= 0, "open an attribute of the field of", store->path);
  const hid_t space = H5Aget_space(attribute);
  must(H5Sget_simple_extent_npoints(space) == count &&
           H5Aread(attribute, H5T_NATIVE_DOUBLE, values) >= 0,
       "read an attribute of the field of", store->path);
  H5Sclose(space);
  H5Aclose(attribute);
}

static void getIndex(struct Store *store) {
  const hid_t index = H5Dopen2(store->file, "index", H5P_DEFAULT);
  must(index >= 0, "open the index of", store->path);
  const hid_t space = H5Dget_space(index);
  must(H5Sget_simple_extent_npoints(space) == (hssize_t)store->extent[kStep],
       "find each step in the index of", store->path);
  store->cycles = memoryFor(store->extent[kStep], sizeof *store->cycles, store->path);
  must(H5Dread(index, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, store->cycles) >= 0,
       "read the index of", store->path);
  H5Sclose(space);
  H5Dclose(index);
}

struct Store openStore(const struct Options *options) {
  struct Store store = {.path = options->file, .file = openFile(options)};
  store.field = openField(store.file, options);
  getExtent(&store);
  getAttribute(&store, "spacing", store.spacing, 3);
  getAttribute(&store, "time", store.time, 2);
  getIndex(&store);
  return store;
}

void closeStore(struct Store *store) {
  free(store->cycles);
  must(H5Dclose(store->field) >= 0 && H5Fclose(store->file) >= 0, "close", store->path);
}

double timeOf(const struct Store *store, hsize_t step) {
  return store->time[0] + (double)step * store->time[1];
}

herr_t readBox(const struct Store *store, const struct Box *box, double *values) {
  const hid_t space = selected(store->field, box), memory = inMemory(box);
  const herr_t got = H5Dread(store->field, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values);
  H5Sclose(memory);
  H5Sclose(space);
  return got;
}
