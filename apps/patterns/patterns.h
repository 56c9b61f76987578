/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PATTERNS_PATTERNS_H
#define PATTERNS_PATTERNS_H

#include "blocks.h"

/** \file
 * Loops that read a block, compute with it, and go on. They differ in what decides about the next
 * read. Each goes through about `steps` blocks on each rank and returns a sum that depends on all.
 */

enum Pattern {
  Datatypes, /**< a view of its own for each block, of a datatype made there */
  Topology,  /**< helpers ask the communicator where to read */
  Statuses,  /**< reads are repeated until they have brought everything */
  Residual,  /**< goes on until what all ranks have computed is small enough */
  Stride,    /**< how far it goes on is the greatest of what all ranks have computed */
  Search,    /**< inner loops end early by what has been computed; the next one starts */
  Branch,    /**< what has been computed decides whether a second block is read */
  Clock,     /**< each read is timed; a limit of time ends the loop */
  kPatterns
};

struct Walk {
  struct Blocks blocks;
  MPI_Comm grid; /**< of two dimensions */
  int rank, ranks;
  long steps;
  long turns; /**< how often the mean of a block is computed */
};

/** The name on the command line. */
extern const char *const patternNames[kPatterns];

/** How many blocks the file must have for `steps` on `ranks`. */
long blocksNeeded(long steps, int ranks);

/** Ends the program by MPI_Abort if a read fails. */
double runPattern(struct Walk *walk, enum Pattern pattern);

#endif
