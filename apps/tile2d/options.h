/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE2D_OPTIONS_H
#define TILE2D_OPTIONS_H

/** \file
 * The command line.
 */

enum Wish { WishRun, WishHelp, WishBad };

struct Options {
  const char *file; /**< with both images */
  const char *out;  /**< for the result */
  long tiles;       /**< in each image */
  long size;        /**< rows of a tile, and columns */
  int collective;   /**< collective reads and writes */
  int create;       /**< make the images first */
  int verify;       /**< compare with direct convolution */
  int times;        /**< print where the time went */
};

extern const char *const usage;

/** Parses; on WishBad `complaint` (of `bytes` bytes) says what is wrong. */
enum Wish parseOptions(struct Options *options, int argc, char **argv, char *complaint, int bytes);

#endif
