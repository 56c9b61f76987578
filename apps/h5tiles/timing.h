/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_TIMING_H
#define H5TILES_TIMING_H

/** \file
 * Where the time goes: reading, and compute on what was read.
 */

struct Times {
  double reading, computing; /**< seconds of this rank */
};

/** All ranks together; rank 0 prints those of the slowest. */
void printTimes(const struct Times *mine);

#endif
