/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PBENCH_TRACE_H
#define PBENCH_TRACE_H

#include <stdio.h>

/** \file
 * The requests of a rank, for pbench-replay: a line "offset length" for each read.
 */

/** Opens PREFIX.RANK; NULL if `prefix` is empty. Ends the program if the file cannot be made. */
FILE *pb_trace_open(const char *prefix, int rank);
void pb_trace_read(FILE *trace, long long offset, long length);
void pb_trace_close(FILE *trace);

#endif
