/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PBENCH_TIMING_H
#define PBENCH_TIMING_H

#include "options.h"

#include <mpi.h>

/** \file
 * What a run took, and how it is printed.
 */

/** The total begins when the file is open (nothing of it can be in memory before) and ends with the
 * last row: a collective open on more ranks than cores takes hundreds of milliseconds, which
 * prefetching cannot hide. */
struct pb_times {
  double total, open, read, write, compute; /**< seconds of this rank */
  double bytes;                             /**< read by this rank */
};

/** A barrier that sleeps while it waits: many MPI libraries poll, and ranks that are done would
 * occupy cores of those that still compute. */
void pb_barrier(MPI_Comm comm);

/** Rank 0 prints the results of all: the slowest rank's total, the mean of the rest, and the
 * checksum, summed in the order of ranks. Collective. */
void pb_report(MPI_Comm comm, const struct pb_options *o, const struct pb_times *mine,
               double checksum);

#endif
