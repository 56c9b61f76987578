/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_BOX_H
#define H5TILES_BOX_H

/** \file
 * A box of the field: what is read or written at once.
 */

#include <hdf5.h>

enum { kStep, kX, kY, kZ, kDimensions };
enum { kMaxEdge = 8192 }; /**< along x, y and z: the number of a plane's elements fits an int */

struct Box {
  hsize_t start[kDimensions], count[kDimensions];
};

/** The share of a rank in a step: planes of equal x, of which the last ranks may have none. */
struct Box slabOf(const hsize_t extent[kDimensions], hsize_t step, int rank, int ranks);

/** Of the plane, and of the box. */
hsize_t planeElements(const struct Box *box);
hsize_t elements(const struct Box *box);

/** The data space of `field` with the box selected; to be closed. Negative on failure. */
hid_t selected(hid_t field, const struct Box *box);

/** The data space of the box in memory, one element after the other; to be closed. */
hid_t inMemory(const struct Box *box);

#endif
