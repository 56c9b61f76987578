/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * Intercepts MPI-IO's calls of the PVFS2 client library: counts reads, and makes them fail. */

#ifdef __cplusplus
extern "C" {
#endif

/** Reads that this process has requested from the servers. */
int pvfs2Reads(void);

enum Pvfs2Failing { NoReads, ReadsOfHelpers, AllReads };
/** Whose reads fail from now on; helpers are all threads but the main thread. */
void failPvfs2Reads(enum Pvfs2Failing which);

#ifdef __cplusplus
}
#endif
