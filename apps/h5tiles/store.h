/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_STORE_H
#define H5TILES_STORE_H

/** \file
 * A file that `h5tiles make` has written, open for reading.
 */

#include "box.h"
#include "options.h"

struct Store {
  const char *path;
  hid_t file, field; /**< of HDF5, or of netCDF (netcdf/store.c) */
  hsize_t extent[kDimensions];
  double spacing[3]; /**< between elements, along x, y and z */
  double time[2];    /**< of the first step, and between two */
  long *cycles;      /**< the index: of each step */
};

/** All ranks together; they end if it is not such a file. */
struct Store openStore(const struct Options *options);
void closeStore(struct Store *store);

double timeOf(const struct Store *store, hsize_t step);

/** Each rank by itself. Negative on failure. */
herr_t readBox(const struct Store *store, const struct Box *box, double *values);

#endif
