/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PBENCH_DRAW_H
#define PBENCH_DRAW_H

/** \file
 * Random numbers of the benchmark's own. libc's generator belongs to the whole process: libraries
 * under MPI-IO (that of PVFS2) seed it and draw from it, so that rows, and with them the checksum,
 * would depend on the file system.
 */

/** A number from 0 to `below` - 1. `*state`: any number to begin with, the seed. */
long pb_draw(unsigned long long *state, long below);

#endif
