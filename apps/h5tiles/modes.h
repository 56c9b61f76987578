/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_MODES_H
#define H5TILES_MODES_H

/** \file
 * What the program does, a function and a source file each. All ranks call it together; it comes
 * back when all is well.
 */

#include "options.h"

void makeFile(const struct Options *options);   /**< make.c */
void readTiles(const struct Options *options);  /**< tiles.c */
void readSeries(const struct Options *options); /**< series.c */

#endif
