/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_FIELD_H
#define H5TILES_FIELD_H

/** \file
 * The field: a wave, and a warm spot that oscillates in it.
 */

enum { kFieldLow = 1, kFieldHigh = 4 }; /**< all values lie between them */

/** A function of time and place alone. */
double fieldAt(double time, double x, double y, double z);

#endif
