/* SPDX-License-Identifier: Apache-2.0 */
#include "reads.h"

#include "scratch.h"

static int readAtOnce(hid_t dataset, hid_t type, hid_t selection, hsize_t points) {
  void *buffer = scratchTake(points * H5Tget_size(type));
  if (buffer == NULL)
    return -1;
  const hid_t memory = H5Screate_simple(1, &points, NULL);
  const herr_t rc = H5Dread(dataset, type, memory, selection, H5P_DEFAULT, buffer);
  H5Sclose(memory);
  return rc < 0 ? -1 : 0;
}

/** The part of the selection between two rows of a dimension, both included. */
static hid_t between(hid_t selection, int rank, int dimension, hsize_t first, hsize_t last) {
  hsize_t start[H5S_MAX_RANK], count[H5S_MAX_RANK], end[H5S_MAX_RANK];
  if (H5Sget_select_bounds(selection, start, end) < 0)
    return -1;
  for (int d = 0; d < rank; d++)
    count[d] = end[d] - start[d] + 1;
  start[dimension] = first;
  count[dimension] = last - first + 1;
  const hid_t part = H5Scopy(selection);
  if (H5Sselect_hyperslab(part, H5S_SELECT_AND, start, NULL, count, NULL) >= 0)
    return part;
  H5Sclose(part);
  return -1;
}

static int readInParts(hid_t dataset, hid_t type, hid_t selection, hsize_t most);

static int readPart(hid_t dataset, hid_t type, hid_t part, hsize_t most) {
  if (part < 0)
    return -1;
  const int rc = readInParts(dataset, type, part, most);
  H5Sclose(part);
  return rc;
}

/** In halves, along the slowest dimension that can be halved, until `most` points are read at once. */
static int readInParts(hid_t dataset, hid_t type, hid_t selection, hsize_t most) {
  const hssize_t points = H5Sget_select_npoints(selection);
  if (points <= 0)
    return points < 0 ? -1 : 0;
  if ((hsize_t)points <= most)
    return readAtOnce(dataset, type, selection, (hsize_t)points);
  hsize_t start[H5S_MAX_RANK], end[H5S_MAX_RANK];
  const int rank = H5Sget_simple_extent_ndims(selection);
  if (H5Sget_select_bounds(selection, start, end) < 0)
    return -1;
  int d = 0;
  while (d < rank && start[d] == end[d])
    d++;
  if (d == rank) /* one element is more than that */
    return -1;
  const hsize_t middle = start[d] + (end[d] - start[d]) / 2;
  const int rc = readPart(dataset, type, between(selection, rank, d, start[d], middle), most);
  return rc < 0 ? rc
                : readPart(dataset, type, between(selection, rank, d, middle + 1, end[d]), most);
}

int readsPieces(hid_t dataset, hid_t selection) {
  const hid_t type = H5Dget_type(dataset); /* as stored: nothing is converted */
  const size_t bytes = H5Tget_size(type);
  const int rc = bytes == 0 ? -1 : readInParts(dataset, type, selection, kScratchBytes / bytes);
  H5Tclose(type);
  scratchClean();
  return rc;
}
