/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_MODES_H
#define H5TILES_MODES_H

/** \file
 * The modes of the program, each a function in a source file of its own. All ranks call it
 * together; it returns only on success.
 */

#include "options.h"

void makeFile(const struct Options *options);   /**< make.c */
void readTiles(const struct Options *options);  /**< tiles.c */
void readSeries(const struct Options *options); /**< series.c */

#endif
