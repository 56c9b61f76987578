/* SPDX-License-Identifier: Apache-2.0 */
#include "box.h"

struct Box slabOf(const hsize_t extent[kDimensions], hsize_t step, int rank, int ranks) {
  const hsize_t all = (hsize_t)ranks;
  const hsize_t first = extent[kX] * (hsize_t)rank / all;
  const hsize_t end = extent[kX] * (hsize_t)(rank + 1) / all;
  return (struct Box){.start = {step, first, 0, 0},
                      .count = {1, end - first, extent[kY], extent[kZ]}};
}

hsize_t planeElements(const struct Box *box) { return box->count[kY] * box->count[kZ]; }

hsize_t elements(const struct Box *box) { return box->count[kX] * planeElements(box); }

hid_t selected(hid_t field, const struct Box *box) {
  const hid_t space = H5Dget_space(field);
  if (space < 0)
    return space;
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, box->start, NULL, box->count, NULL) < 0) {
    H5Sclose(space);
    return -1;
  }
  return space;
}

hid_t inMemory(const struct Box *box) {
  const hsize_t count = elements(box);
  return H5Screate_simple(1, &count, NULL);
}
