/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_PICTURE_H
#define H5TILES_PICTURE_H

/** \file
 * A grey picture of values of the field, as a PNG file.
 */

#include <hdf5.h>

/** Row by row, from black (kFieldLow and below) to white (kFieldHigh). 1 on success. */
int writePicture(const char *path, const double *values, hsize_t width, hsize_t height);

#endif
