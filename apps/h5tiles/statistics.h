/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_STATISTICS_H
#define H5TILES_STATISTICS_H

/** \file
 * What is computed from the values read.
 */

#include <hdf5.h>

struct Statistics {
  double min, max, mean;
};

struct Statistics statisticsOf(const double *values, hsize_t count);

/** Of parts of equal size. */
struct Statistics mergedStatistics(const struct Statistics *parts, hsize_t count);

/** All ranks together. Each rank has set some of the elements, no two ranks the same one, and left
 * the others 0. On rank 0 all are then set, and exact: only 0 is added to them. */
void gatherStatistics(struct Statistics *parts, hsize_t count);

/** How many values lie in each of `kBins` parts of the field's range. */
enum { kBins = 12 };
void addToHistogram(long long histogram[kBins], const double *values, hsize_t count);

/** `sweeps` times, each element becomes the mean of itself and its neighbours (six, or fewer at the
 * boundary) in a box of this many elements along x, y and z. `scratch` has room for all. */
void smooth(double *values, double *scratch, const hsize_t count[3], long sweeps);

#endif
