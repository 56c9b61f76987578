/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PATTERNS_BLOCKS_H
#define PATTERNS_BLOCKS_H

#include <mpi.h>

/** \file
 * The data: blocks of 4 KiB in random order. What a block holds tells its number, so that a program
 * can be steered by what it computes.
 */

enum { kLength = 512 }; /**< doubles of a block */

struct Blocks {
  MPI_File file;
  long count; /**< a power of two */
};

/** Makes a file of at least `count` blocks. Collective. Returns MPI's error code. */
int createBlocks(MPI_Comm comm, const char *path, long count);

/** Where block `number` begins, in blocks: a permutation of 0 to count - 1. */
long placeOf(const struct Blocks *blocks, long number);

/** Reads block `number`. Returns MPI's error code. */
int readBlock(const struct Blocks *blocks, long number, double *values);

/** The mean of a block, which is its number, computed `turns` times over. */
double meanOf(const double *values, long turns);

#endif
