/* SPDX-License-Identifier: Apache-2.0 */
#ifndef H5TILES_OPTIONS_H
#define H5TILES_OPTIONS_H

/** \file
 * The command line.
 */

#include <stddef.h>

enum Wish { WishRun, WishHelp, WishBad };
enum Mode { ModeMake, ModeTiles, ModeSeries };
enum Layout { LayoutContiguous, LayoutChunked, LayoutCompressed };

struct Options {
  enum Mode mode;
  const char *file;
  unsigned long steps;    /**< of time */
  unsigned long size[3];  /**< elements of a step, along x, y and z */
  unsigned long chunk[3]; /**< of a chunk, likewise */
  enum Layout layout;
  long tiles;               /**< of all ranks together */
  unsigned long tile[3];    /**< elements of a tile */
  unsigned long seed;       /**< of their places */
  long sweeps;              /**< of smoothing what has been read */
  unsigned long chunkCache; /**< MiB; 0: HDF5's default */
  int isCollective;         /**< metadata is read by all ranks together */
  const char *picture;      /**< file for it; NULL: none */
  int times;                /**< print where the time went */
};

extern const char *const usage;

const char *layoutName(enum Layout layout);

/** Parses; on WishBad `complaint` (of `bytes` bytes) says what is wrong. */
enum Wish parseOptions(struct Options *options, int argc, char **argv, char *complaint,
                       size_t bytes);

#endif
