/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_RUNTIME_H
#define FORERUN_RUNTIME_H

/** \file
 * What a sliced program calls: the main thread (forerun_main_*) and the pre-execution thread
 * (forerun_pre_*).
 *
 * Call sites that matter to both threads (reads, writes, opens, synchronisation points) have
 * numbers 0..sites-1. The k-th execution of a site by one thread is the k-th execution of it by the
 * other: (site, occurrence) is the call identifier, and identifiers, not timing, tie the two
 * threads together.
 *
 * The main thread never waits for the pre-execution thread. The pre-execution thread may be ended
 * at any instruction without harm: it takes no lock that the main thread can take (malloc's,
 * stdio's, MPI-IO's), it only appends to a lock-free stream of records which a courier thread of
 * the library consumes.
 *
 * With Forerun off (FORERUN=0, no MPI_THREAD_MULTIPLE, no patched MPI-IO) forerun_main_launch
 * starts nothing and every other forerun_main_* call only does what the call it replaces would have
 * done.
 */

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- main thread ---- */

/** In place of MPI_Init: MPI_Init_thread with MPI_THREAD_MULTIPLE unless Forerun is off. Returns
 * MPI's code. */
int forerun_main_init(int *argc, char ***argv);
/** In place of MPI_Init_thread; `*provided` is never less than the stock call would have given for
 * `required`. */
int forerun_main_init_thread(int *argc, char ***argv, int required, int *provided);

/** Starts the pre-execution thread: `pre(argument)` with `argument` a private copy of `bytes` bytes
 * at `data`. At most one launch per process; a second one is ignored. It is ended and joined in
 * MPI_Finalize. */
void forerun_main_launch(void (*pre)(void *argument), const void *data, size_t bytes, int sites);

/** Wrapped around a call: `forerun_main_done(site, MPI_File_read_at(...))`. The main thread has now
 * executed the site once more; returns `rc`. For an open, the handle it gave is handed to the
 * pre-execution thread. */
int forerun_main_done(int site, int rc);

/* ---- pre-execution thread: each of these is harmless, and does nothing, on any other thread ----
 */

/** The pre-execution thread executes `site` once more; prefetch calls that follow carry this call
 * identifier. Returns 1, or 0 if the main thread is already past it (the prefetch would be late and
 * is skipped). Waits here when the leash is taut. */
int forerun_pre_at(int site);
/** In place of MPI_File_open: waits until the main thread has passed this occurrence of `site` and
 * returns the handle it got (MPI_FILE_NULL if its open failed). */
MPI_File forerun_pre_open(int site);
/** A synchronisation point: waits until the main thread has passed this occurrence of `site`. */
void forerun_pre_sync(int site);
/** In place of exit, abort and their like: ends the pre-execution thread, and only it. */
void forerun_pre_exit(void);

/** @{ Private stand-ins: same results as libc's as the main thread will see them, no shared state,
 * no lock. Memory is given back when the pre-execution thread has ended. */
void *forerun_pre_malloc(size_t bytes);
void *forerun_pre_calloc(size_t count, size_t bytes);
void *forerun_pre_realloc(void *block, size_t bytes);
void forerun_pre_free(void *block);
void forerun_pre_srand(unsigned seed);
int forerun_pre_rand(void);
void forerun_pre_srandom(unsigned seed);
long forerun_pre_random(void);
void forerun_pre_srand48(long seed);
double forerun_pre_drand48(void);
long forerun_pre_lrand48(void);
long forerun_pre_mrand48(void);
/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
