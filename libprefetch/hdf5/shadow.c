/* SPDX-License-Identifier: Apache-2.0 */
#include "shadow.h"

#include "driver.h"

#include <stdlib.h>
#include <string.h>

/** A program that reads more data sets in turn has their caches forgotten. */
enum { kMaxShadows = 16 };

typedef struct Shadow {
  hid_t of; /**< 0: none */
  hid_t dataset;
  haddr_t begin; /**< of its first chunk; they lie in the order of their numbers */
  hsize_t chunks[H5S_MAX_RANK];
} Shadow;

static Shadow shadows[kMaxShadows];
static int next;

/** The offsets of what has been read of a shadow, in its file. */
static struct {
  uint64_t *offsets;
  size_t count, room;
} told;

static void tell(uint64_t offset) {
  if (told.count == told.room) {
    const size_t room = told.room == 0 ? 64 : 2 * told.room;
    uint64_t *more = realloc(told.offsets, room * sizeof *more);
    if (more == NULL)
      return;
    told.offsets = more;
    told.room = room;
  }
  told.offsets[told.count++] = offset;
}

/** The newest format has chunks of a known number in an index that is no memory and no time. */
static hid_t createFile(void) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  const DriverFile nowhere = {.source = SourceNowhere, .isWritable = true, .tell = tell};
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file =
      driverSet(access, nowhere) < 0 ? -1 : H5Fcreate("shadow", kAnew, H5P_DEFAULT, access);
  H5Pclose(access);
  return file;
}

static hid_t createDataset(const Chunked *of, hid_t file, hid_t space) {
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE), type = H5Dget_type(of->dataset),
              access = H5Dget_access_plist(of->dataset);
  H5Pset_chunk(properties, of->rank, of->chunk);
  H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  const hid_t created = H5Dcreate2(file, "shadow", type, space, H5P_DEFAULT, properties, access);
  H5Pclose(access);
  H5Tclose(type);
  H5Pclose(properties);
  return created;
}

static int isOfExtent(const Shadow *shadow, const Chunked *of, const hsize_t *extent) {
  for (int d = 0; d < of->rank; d++)
    if (shadow->chunks[d] != (extent[d] + of->chunk[d] - 1) / of->chunk[d])
      return 0;
  return 1;
}

static int create(Shadow *shadow, const Chunked *of, const hsize_t *extent) {
  const hsize_t first[H5S_MAX_RANK] = {0};
  hsize_t bytes = 0;
  unsigned mask = 0;
  const hid_t file = createFile(), space = H5Screate_simple(of->rank, extent, NULL);
  *shadow = (Shadow){.of = of->dataset, .dataset = file < 0 ? -1 : createDataset(of, file, space)};
  for (int d = 0; d < of->rank; d++)
    shadow->chunks[d] = (extent[d] + of->chunk[d] - 1) / of->chunk[d];
  H5Sclose(space);
  H5Fclose(file); /* it stays as long as its data set */
  return shadow->dataset < 0 ||
                 H5Dget_chunk_info_by_coord(shadow->dataset, first, &mask, &shadow->begin, &bytes) <
                     0 ||
                 bytes != of->bytes
             ? -1
             : 0;
}

/** NULL: there can be none. */
static const Shadow *shadowOf(const Chunked *of) {
  hsize_t extent[H5S_MAX_RANK];
  const hid_t space = H5Dget_space(of->dataset);
  H5Sget_simple_extent_dims(space, extent, NULL);
  H5Sclose(space);
  Shadow *place = NULL;
  for (int i = 0; i < kMaxShadows && place == NULL; i++)
    if (shadows[i].of == of->dataset)
      place = &shadows[i];
  if (place != NULL && isOfExtent(place, of, extent))
    return place->dataset < 0 ? NULL : place;
  if (place == NULL) {
    place = &shadows[next];
    next = (next + 1) % kMaxShadows;
  }
  if (place->of != 0 && place->dataset >= 0)
    H5Dclose(place->dataset);
  if (create(place, of, extent) == 0)
    return place;
  if (place->dataset >= 0)
    H5Dclose(place->dataset);
  place->dataset = -1;
  return NULL;
}

static int readChunkAt(const Shadow *shadow, const Chunked *of, uint64_t offset) {
  hsize_t first[H5S_MAX_RANK] = {0};
  uint64_t number = (offset - shadow->begin) / of->bytes;
  for (int d = of->rank - 1; d >= 0; d--) {
    first[d] = number % shadow->chunks[d] * of->chunk[d];
    number /= shadow->chunks[d];
  }
  return readsChunk(of, first);
}

int shadowReads(const Chunked *of, hid_t selection) {
  const Shadow *shadow = shadowOf(of);
  if (shadow == NULL)
    return -1;
  told.count = 0;
  if (readsPieces(shadow->dataset, selection) < 0)
    return -1;
  uint64_t before = UINT64_MAX;
  for (size_t i = 0; i < told.count; i++) {
    const uint64_t chunk = (told.offsets[i] - shadow->begin) / of->bytes;
    if (chunk != before && readChunkAt(shadow, of, told.offsets[i]) < 0)
      return -1;
    before = chunk;
  }
  return 0;
}
