/* SPDX-License-Identifier: Apache-2.0 */
#include "reads.h"

#include "scratch.h"

#include <stdbool.h>
#include <string.h>

/** Of the innermost error alone. */
static herr_t isOfTheQuestion(unsigned number, const H5E_error2_t *error, void *answer) {
  (void)number;
  *(bool *)answer = strcmp(error->func_name, "H5D__get_chunk_storage_size") == 0;
  return 1;
}

/** What H5Dget_chunk_storage_size calls an error, too: the chunk was never written. Then it is told by the
 * function below it that asks the index, and not by one that looks into it. */
static bool isOnlyAbsent(void) {
  bool is = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, isOfTheQuestion, &is);
  return is;
}

/** As H5Dread_chunk reads it. (H5Dget_chunk_info_by_coord would tell where it is, after having looked at
 * all chunks of the data set.) A chunk that was never written has no bytes. */
int readsChunk(const Chunked *of, const hsize_t *first) {
  hsize_t bytes = 0;
  if (H5Dget_chunk_storage_size(of->dataset, first, &bytes) < 0)
    return isOnlyAbsent() ? 0 : -1;
  if (bytes == 0)
    return 0;
  void *buffer = scratchTake(bytes);
  uint32_t mask = 0;
  if (buffer == NULL)
    return -1;
  return H5Dread_chunk(of->dataset, H5P_DEFAULT, first, &mask, buffer) < 0 ? -1 : 0;
}

static void chunkOf(const Chunked *of, const hsize_t *point, hsize_t *first) {
  for (int d = 0; d < of->rank; d++)
    first[d] = point[d] - point[d] % of->chunk[d];
}

/** Points are looked at one by one: there may be few in a large box. */
static int readChunksOfPoints(const Chunked *of, hid_t selection) {
  const hssize_t points = H5Sget_select_elem_npoints(selection);
  hsize_t point[H5S_MAX_RANK], first[H5S_MAX_RANK], before[H5S_MAX_RANK] = {0};
  for (hssize_t i = 0; i < points; i++) {
    if (H5Sget_select_elem_pointlist(selection, (hsize_t)i, 1, point) < 0)
      return -1;
    chunkOf(of, point, first);
    if (i != 0 && memcmp(first, before, sizeof *first * (size_t)of->rank) == 0)
      continue;
    if (readsChunk(of, first) < 0)
      return -1;
    memcpy(before, first, sizeof first);
  }
  return points < 0 ? -1 : 0;
}

/** To the next chunk of the box, the last dimension first; false: there is none. */
static bool advance(const Chunked *of, const hsize_t *begin, const hsize_t *end, hsize_t *first) {
  for (int d = of->rank - 1; d >= 0; d--) {
    first[d] += of->chunk[d];
    if (first[d] <= end[d])
      return true;
    first[d] = begin[d];
  }
  return false;
}

static int readChunksOfBox(const Chunked *of, hid_t selection) {
  hsize_t start[H5S_MAX_RANK], end[H5S_MAX_RANK], begin[H5S_MAX_RANK] = {0}, first[H5S_MAX_RANK];
  if (H5Sget_select_bounds(selection, start, end) < 0)
    return -1;
  chunkOf(of, start, begin);
  memcpy(first, begin, sizeof first);
  do {
    hsize_t last[H5S_MAX_RANK];
    for (int d = 0; d < of->rank; d++)
      last[d] = first[d] + of->chunk[d] - 1;
    const htri_t meets = H5Sselect_intersect_block(selection, first, last);
    if (meets < 0 || (meets > 0 && readsChunk(of, first) < 0))
      return -1;
  } while (advance(of, begin, end, first));
  return 0;
}

int readsWholeChunks(const Chunked *of, hid_t selection) {
  const int rc = H5Sget_select_type(selection) == H5S_SEL_POINTS ? readChunksOfPoints(of, selection)
                                                                 : readChunksOfBox(of, selection);
  scratchClean();
  return rc;
}
