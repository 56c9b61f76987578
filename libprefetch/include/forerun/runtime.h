/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_SLICED /* by the pre-compiler, which defines the types for itself */
#include "forerun/standins.h"

#include <mpi.h>
#include <stddef.h>
#endif

#ifndef FORERUN_RUNTIME_H
#define FORERUN_RUNTIME_H

/** \file
 * What a sliced program calls: the main thread (forerun_main_*) and the pre-execution thread
 * (forerun_pre_*).
 *
 * A program sliced by the pre-compiler has, beside its main, a slice of it: what determines which
 * calls of MPI-IO are made, and where. The pre-execution thread executes the slice from the
 * beginning of main, in memory of its own (globals, heap, locals): nothing is copied from the main
 * thread at the start, and what the slice cannot compute itself is *forwarded*. In a program
 * written by hand the thread may begin anywhere, with a copy of some data.
 *
 * Call sites that matter to both threads (reads, writes, seeks, opens, synchronisation points,
 * forwarded values) have numbers 0..sites-1. The k-th execution of a site by one thread is the k-th
 * execution of it by the other: (site, occurrence) is the call identifier, and identifiers, not
 * timing, tie the two threads together.
 *
 * The main thread never waits for the pre-execution thread. The pre-execution thread may be ended
 * at any instruction without harm: it takes no lock that the main thread can take (malloc's,
 * stdio's, MPI-IO's), it only appends to a lock-free stream of records which a courier thread of
 * the library consumes.
 *
 * With Forerun off (FORERUN=0, no patched MPI-IO) nothing is started, and every forerun_main_* call
 * only does what the call that it replaces would have done.
 */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* ---- main thread ---- */

/** The first statement of main: keeps the arguments, as they are now, for the pre-execution
 * thread. */
void forerun_main_begin(int argc, char **argv);

/** Before MPI_Init: the pre-execution thread will make no call of MPI, since it exchanges nothing
 * and is handed no datatype. MPI then has the thread level that the program asks for. */
void forerun_main_without_mpi(void);

/** @{ Replaces MPI_Init: MPI_Init_thread with MPI_THREAD_MULTIPLE unless Forerun is off, or
 * forerun_main_without_mpi has been called. Returns MPI's code. MPI_Query_thread tells the program
 * what it would have told otherwise. */
int forerun_main_MPI_Init(int *argc, char ***argv);
int forerun_main_PMPI_Init(int *argc, char ***argv);
/** @} */
/** @{ Replaces MPI_Init_thread; `*provided` is `required`, or less if MPI gives less. */
int forerun_main_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int forerun_main_PMPI_Init_thread(int *argc, char ***argv, int required, int *provided);
/** @} */

/** Around MPI_Init or MPI_Init_thread, where the pre-execution threads communicate with each other
 * (forerun_pre_MPI_Bcast and its like). If `rc` is MPI_SUCCESS it is collective over
 * MPI_COMM_WORLD, which it duplicates, even with Forerun off: so all processes of the program must
 * call it. Returns `rc`. */
int forerun_main_exchange(int rc);

/** Starts the pre-execution thread if `rc` is MPI_SUCCESS: `pre(argc, argv)` with
 * what main began with. It writes only to its stack, its heap and what
 * forerun_pre_lend has been told of: what it does on a predicted value may be undone.
 * Returns `rc`, so that it can be wrapped around MPI_Init (or follow it). At most one
 * start or launch per process; a second one is ignored. The thread is ended and
 * joined in MPI_Finalize. */
int forerun_main_start(int (*pre)(int argc, char **argv), int sites, int rc);
/** The same for programs written by hand: `pre(argument)` with `argument` a private copy of `bytes`
 * bytes at `data`. */
void forerun_main_launch(void (*pre)(void *argument), const void *data, size_t bytes, int sites);

/** @{ Hands a value over to the pre-execution thread: the k-th value forwarded at `site` is the
 * k-th one received there. Also before the start; always from the same thread. Never waits: if more
 * than 16 MiB are in flight, the pre-execution thread is ended. */
void forerun_main_forward(int site, const void *data, size_t bytes);
/** The outcome of a condition, 0 or 1; returns it. */
int forerun_main_condition(int site, int holds);
/** `count` elements of a datatype, with the gaps between them. */
void forerun_main_forward_typed(int site, const void *buffer, int count, MPI_Datatype type);
/** In each of `parts` parts, `counts[i]` elements at `displacements[i]` (in elements). */
void forerun_main_forward_spread(int site, const void *buffer, int parts, const int *counts,
                                 const int *displacements, MPI_Datatype type);
void forerun_main_forward_text(int site, const char *text); /**< or NULL */
/** @{ The same for what an unknown function was given: it may have freed it, and what it gives may
 * not be a text. Unreadable memory is not forwarded; a text ends there. */
void forerun_main_forward_unsure(int site, const void *data, size_t bytes);
void forerun_main_forward_unsure_text(int site, const char *text);
/** @} */
/** A datatype: what is received is a committed duplicate, which stays alive until MPI_Finalize. */
void forerun_main_forward_type(int site, const MPI_Datatype *type);
/** A communicator: the pre-execution thread may then communicate with its processes. */
void forerun_main_forward_comm(int site, const MPI_Comm *comm);
/** @} */

/** The value that the calling thread forwards next is what the non-blocking call brings that gave
 * this request: it is forwarded when the request has completed. */
void forerun_main_defer(const MPI_Request *request);
/** @{ Around a call that completes requests (MPI_Wait, MPI_Testany, ...). */
void forerun_main_completing(int count, const MPI_Request *requests);
void forerun_main_completed(const MPI_Request *requests);
/** @} */

/** @{ How many elements a collective call has brought: `count` from each process of `comm` (of the
 * remote group, if it has one); none except at the root, where `count` is evaluated anyway. */
int forerun_main_count_of_all(int count, MPI_Comm comm);
int forerun_main_count_at_root(int count, int root, MPI_Comm comm);
/** @} */

/** Wrapped around a call: `forerun_main_done(site, MPI_File_read_at(...))`. The main thread has now
 * executed the site once more; returns `rc`. For an open, the handle that it gave is forwarded
 * to the pre-execution thread. */
int forerun_main_done(int site, int rc);
/** After a call that may have moved libc's streams of random numbers (a library that opens a file may
 * seed them): forwards where they are. Returns `rc`. */
int forerun_main_generators(int site, int rc);
/** After a seek that may have been relative to the end of the file: forwards the position. */
void forerun_main_sought(int site, MPI_File file);

/** @{ Where the sites of one sliced unit are, for the report and for FORERUN_CHECK: each is a call,
 * or a statement of which something is forwarded, as `call` then says. Called by constructors,
 * before main begins; `*places` must stay valid. */
struct forerun_main_place {
  int site, line;
  const char *file, *call;
};
struct forerun_main_places {
  const struct forerun_main_place *places;
  size_t count;
  struct forerun_main_places *next; /**< the library's */
};
void forerun_main_know_places(struct forerun_main_places *places);
/** @} */

/** @{ The private globals of one sliced unit, which the pre-execution thread may write to. Called
 * by constructors, before main begins; `*globals` must stay valid. */
struct forerun_pre_range {
  void *from;
  size_t bytes;
};
struct forerun_pre_globals {
  const struct forerun_pre_range *ranges;
  size_t count;
  struct forerun_pre_globals *next; /**< the library's */
};
void forerun_pre_know_globals(struct forerun_pre_globals *globals);
/** @} */

/* ---- pre-execution thread: each of these is harmless, and does nothing, on any other thread ----
 */

/** The pre-execution thread executes `site` once more; prefetch calls that follow carry this call
 * identifier. Returns 1, or 0 if the main thread is already past it (the prefetch would be late and
 * is skipped). Waits here while it is farther ahead than the prefetch distance (leash). */
int forerun_pre_at(int site);
/** A function or variable of the twin of `library`: a second copy of the program's, with variables
 * of its own, which only the pre-execution thread enters. The first call loads it; if that is not
 * possible, the thread ends there. On other threads: NULL. */
void *forerun_pre_twin(const char *library, const char *name);
/** Replaces MPI_File_open: waits until the main thread has passed this occurrence of `site` and
 * returns the handle that it got (MPI_FILE_NULL if its open failed). */
MPI_File forerun_pre_open(int site);
/** A synchronisation point: waits until the main thread has passed this occurrence of `site`. */
void forerun_pre_sync(int site);
/** Replaces exit, abort and their like: ends the pre-execution thread, and only it. */
void forerun_pre_exit(void);
/** The same where the program goes on, but the pre-execution thread cannot; `why` stays valid. */
void forerun_pre_end(const char *why);

/** @{ The fence. In a sliced program the pre-execution thread writes to its own stack, to what it
 * has allocated, to private globals and to what it was lent; it is ended before it writes to
 * anything else. Returns `to`. Null, or zero bytes, may be written to. */
static __inline__ void *forerun_pre_own(const volatile void *to, size_t bytes);
/** May be written to from now on: a static variable of a clone. */
void forerun_pre_lend(const volatile void *from, size_t bytes);
/** Where most stores go: the thread's heap and stack. Only the library changes it. Made of
 * pointers, so that a compiler knows that stores of numbers do not change it. */
extern struct forerun_pre_memory {
  const char *heap, *heap_end, *stack, *stack_end;
} forerun_pre_memory;
static __inline__ int forerun_pre_holds(const char *from, const char *end, const volatile void *to,
                                        size_t bytes) {
  size_t all = (size_t)end - (size_t)from;
  return bytes <= all && (size_t)to - (size_t)from <= all - bytes;
}
void *forerun_pre_own_elsewhere(const volatile void *to, size_t bytes);
static __inline__ void *forerun_pre_own(const volatile void *to, size_t bytes) {
  if (forerun_pre_holds(forerun_pre_memory.heap, forerun_pre_memory.heap_end, to, bytes) ||
      forerun_pre_holds(forerun_pre_memory.stack, forerun_pre_memory.stack_end, to, bytes))
    return (void *)to; /* NOLINT: it is written next */
  return forerun_pre_own_elsewhere(to, bytes);
}
/** Returns `to` if it lies in `whole`, a variable of the thread; otherwise ends the thread. */
static __inline__ void *forerun_pre_inside(const volatile void *whole, size_t wholeBytes,
                                           const volatile void *to, size_t bytes) {
  size_t distance = (size_t)to - (size_t)whole;
  if (bytes > wholeBytes || distance > wholeBytes - bytes)
    return forerun_pre_own_elsewhere((const volatile void *)1, 1);
  return (void *)to; /* NOLINT: of the thread */
}
/** The attributes of clones. A sanitizer or profiler that reports an error in one would end the
 * program; but a program's build under ThreadSanitizer watches clones, too. */
#if defined(__clang__)
#define FORERUN_PRE_CLONE                                                                          \
  __attribute__((no_sanitize("address", "undefined", "memory", "hwaddress"),                       \
                 no_instrument_function, no_profile_instrument_function))
#else
#define FORERUN_PRE_CLONE                                                                          \
  __attribute__((no_sanitize("address,undefined"), no_instrument_function,                         \
                 no_profile_instrument_function))
#endif
/** The given lvalue, if the pre-execution thread may write to it. */
#define FORERUN_PRE_OWN(...)                                                                       \
  (*(__typeof__(&(__VA_ARGS__)))forerun_pre_own(&(__VA_ARGS__), sizeof(__VA_ARGS__)))
/** The same for an lvalue in a variable of the thread itself, beyond which an index may lead. */
#define FORERUN_PRE_INSIDE(variable, ...)                                                          \
  (*(__typeof__(&(__VA_ARGS__)))forerun_pre_inside(&(variable), sizeof(variable), &(__VA_ARGS__),  \
                                                   sizeof(__VA_ARGS__)))
/** @} */

/** @{ Waits for the next value forwarded at `site` and copies at most `bytes` bytes of it. Where
 * values of a site have been the same, or have changed by the same step, the next ones are
 * predicted instead of awaited: if one was wrong, all that the thread has done since counts as not
 * done. What was forwarded from a typed buffer lands at the same distance from `data`. */
void forerun_pre_receive(int site, void *data, size_t bytes);
/** Whether the thread asks the clock itself, instead of taking the next value of `site`, the time:
 * in a loop that reads. Otherwise it is to be received. */
int forerun_pre_asks_time(int site);
/** The next `values` values of `site` are not wanted; it does not wait for them. */
void forerun_pre_skip(int site, int values);
/** The stand-ins of rand, drand48 and so on continue where forerun_main_generators says. Returns
 * `rc`. */
int forerun_pre_generators(int site, int rc);
int forerun_pre_condition(int site); /**< what forerun_main_condition was given */
/** The same for the condition of an early exit, which comes out as `stays` says where the loop goes
 * on. Where the thread has too much memory to predict it, it is assumed to go on. */
int forerun_pre_goes_on(int site, int stays);
char *forerun_pre_receive_text(int site); /**< in private memory */
void forerun_pre_receive_type(int site, MPI_Datatype *type);
/** A non-blocking call: what it brings will be forwarded at `site`. */
void forerun_pre_expect(int site, void *data);
/** Waits for all that is expected, in the order of the calls. */
void forerun_pre_receive_expected(void);
/** @} */

/** @{ The program's communication, made among the pre-execution threads. The arguments are the
 * same, after the site and the number of values, at least one, that the main thread forwards there
 * at each execution (for a send: an empty one). Returns 1 if the data have arrived (or been sent)
 * that way; those values are then passed over. MPI_IN_PLACE may be given as in the program. Returns
 * 0 if this process's main thread was faster, another's pre-execution thread has ended, the
 * communicator has not been forwarded, or the data are not contiguous data of a named datatype (at
 * most 64 KiB) or need an operation of the program's own: then the values are to be received. Never
 * waits longer than until these have been forwarded. A send returns 1 in any case.
 *
 * A non-blocking collective call is made like the blocking one, and at once; a non-blocking receive
 * is awaited by forerun_pre_receive_expected. Both come without their request, and with one value,
 * which the main thread forwards when the request has completed; where they return 0 it is to be
 * expected (forerun_pre_expect). */
/** A collective call whose result is not wanted: it is counted, and nothing is sent. */
void forerun_pre_skip_collective(int site, int values, MPI_Comm comm);
int forerun_pre_MPI_Bcast(int site, int values, void *buffer, int count, MPI_Datatype type,
                          int root, MPI_Comm comm);
int forerun_pre_MPI_Scatter(int site, int values, const void *from, int fromCount,
                            MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                            int root, MPI_Comm comm);
int forerun_pre_MPI_Scatterv(int site, int values, const void *from, const int *fromCounts,
                             const int *places, MPI_Datatype fromType, void *to, int toCount,
                             MPI_Datatype toType, int root, MPI_Comm comm);
int forerun_pre_MPI_Gather(int site, int values, const void *from, int fromCount,
                           MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                           int root, MPI_Comm comm);
int forerun_pre_MPI_Gatherv(int site, int values, const void *from, int fromCount,
                            MPI_Datatype fromType, void *to, const int *toCounts, const int *places,
                            MPI_Datatype toType, int root, MPI_Comm comm);
int forerun_pre_MPI_Allgather(int site, int values, const void *from, int fromCount,
                              MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                              MPI_Comm comm);
int forerun_pre_MPI_Allgatherv(int site, int values, const void *from, int fromCount,
                               MPI_Datatype fromType, void *to, const int *toCounts,
                               const int *places, MPI_Datatype toType, MPI_Comm comm);
int forerun_pre_MPI_Alltoall(int site, int values, const void *from, int fromCount,
                             MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                             MPI_Comm comm);
int forerun_pre_MPI_Alltoallv(int site, int values, const void *from, const int *fromCounts,
                              const int *fromPlaces, MPI_Datatype fromType, void *to,
                              const int *toCounts, const int *toPlaces, MPI_Datatype toType,
                              MPI_Comm comm);
int forerun_pre_MPI_Reduce(int site, int values, const void *from, void *to, int count,
                           MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int forerun_pre_MPI_Allreduce(int site, int values, const void *from, void *to, int count,
                              MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int forerun_pre_MPI_Reduce_scatter_block(int site, int values, const void *from, void *to,
                                         int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int forerun_pre_MPI_Reduce_scatter(int site, int values, const void *from, void *to,
                                   const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int forerun_pre_MPI_Scan(int site, int values, const void *from, void *to, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int forerun_pre_MPI_Exscan(int site, int values, const void *from, void *to, int count,
                           MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int forerun_pre_MPI_Send(int site, int values, const void *buffer, int count, MPI_Datatype type,
                         int to, int tag, MPI_Comm comm);
int forerun_pre_MPI_Recv(int site, int values, void *buffer, int count, MPI_Datatype type, int from,
                         int tag, MPI_Comm comm, MPI_Status *status);
int forerun_pre_MPI_Irecv(int site, int values, void *buffer, int count, MPI_Datatype type,
                          int from, int tag, MPI_Comm comm);
int forerun_pre_MPI_Sendrecv(int site, int values, const void *out, int outCount,
                             MPI_Datatype outType, int to, int outTag, void *in, int inCount,
                             MPI_Datatype inType, int from, int inTag, MPI_Comm comm,
                             MPI_Status *status);
int forerun_pre_MPI_Sendrecv_replace(int site, int values, void *buffer, int count,
                                     MPI_Datatype type, int to, int outTag, int from, int inTag,
                                     MPI_Comm comm, MPI_Status *status);
/** @} */

/** @{ What a program asks of a communicator. The arguments are the same, after the site and the
 * number of values that the main thread forwards there. Returns 1 if it is known: that of a
 * communicator that has been forwarded, MPI_COMM_WORLD or MPI_COMM_SELF; the values are then passed
 * over. Returns 0 otherwise, and where MPI would report an error: they are to be received. */
int forerun_pre_MPI_Comm_rank(int site, int values, MPI_Comm comm, int *rank);
int forerun_pre_MPI_Comm_size(int site, int values, MPI_Comm comm, int *size);
int forerun_pre_MPI_Cart_coords(int site, int values, MPI_Comm comm, int rank, int most,
                                int *coords);
int forerun_pre_MPI_Cart_rank(int site, int values, MPI_Comm comm, const int *coords, int *rank);
int forerun_pre_MPI_Cart_shift(int site, int values, MPI_Comm comm, int direction, int distance,
                               int *source, int *target);
int forerun_pre_MPI_Cart_get(int site, int values, MPI_Comm comm, int most, int *dims, int *periods,
                             int *coords);
int forerun_pre_MPI_Cartdim_get(int site, int values, MPI_Comm comm, int *dims);
/** @} */

/** Where the file pointer is, in the same manner. Returns 1 if it is known: if no seek led before the
 * start of the view. */
int forerun_pre_MPI_File_get_position(int site, int values, MPI_File fh, MPI_Offset *offset);
/** @{ Where an offset of the view lies in the file, and what the view is, in the same manner. */
int forerun_pre_MPI_File_get_byte_offset(int site, int values, MPI_File fh, MPI_Offset offset,
                                         MPI_Offset *byte);
int forerun_pre_MPI_File_get_view(int site, int values, MPI_File fh, MPI_Offset *displacement,
                                  MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep);
/** @} */

/** @{ Replaces each call of MPI-IO in a sliced program; the main thread's call is wrapped in
 * forerun_main_done with the same site. Each returns MPI_SUCCESS, or MPI_ERR_FILE where
 * forerun_pre_open_file finds MPI_FILE_NULL. Datatypes are named ones or have been received; any
 * other ends the thread. A late call prefetches nothing but moves the prefetch file pointer. */
int forerun_pre_open_file(int site, MPI_File *fh);
int forerun_pre_read_at(int site, MPI_File fh, MPI_Offset offset, MPI_Count count,
                        MPI_Datatype type);
int forerun_pre_read(int site, MPI_File fh, MPI_Count count, MPI_Datatype type);
/** At the shared file pointer, in turn with the other processes, which all read the same amount. */
int forerun_pre_read_ordered(int site, MPI_File fh, MPI_Count count, MPI_Datatype type);
/** A blocking read, whose data the slice needs: brings it into private memory, and sets `status` (or
 * MPI_STATUS_IGNORE) to how many came: fewer than asked at the end of the file. A failed read ends
 * the thread. Into large blocks of its heap the bytes come only when something touches them; until
 * then the read is only prefetched. */
int forerun_pre_fetch_at(int site, MPI_File fh, MPI_Offset offset, void *buffer, MPI_Count count,
                         MPI_Datatype type, MPI_Status *status);
int forerun_pre_fetch(int site, MPI_File fh, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status *status);
int forerun_pre_fetch_ordered(int site, MPI_File fh, void *buffer, MPI_Count count,
                              MPI_Datatype type, MPI_Status *status);
/** @{ A read of which only the status is needed: that follows from the file's size, and the read is
 * prefetched; beyond the end of a file that the program may write, like a fetch. */
int forerun_pre_count_at(int site, MPI_File fh, MPI_Offset offset, void *buffer, MPI_Count count,
                         MPI_Datatype type, MPI_Status *status);
int forerun_pre_count(int site, MPI_File fh, void *buffer, MPI_Count count, MPI_Datatype type,
                      MPI_Status *status);
/** @} */
int forerun_pre_write_at(int site, MPI_File fh, MPI_Offset offset, MPI_Count count,
                         MPI_Datatype type);
int forerun_pre_write(int site, MPI_File fh, MPI_Count count, MPI_Datatype type);
/** Around a write whose status the pre-execution thread reads: as if everything had been written.
 * Returns `rc`. */
int forerun_pre_wrote(int rc, MPI_Count count, MPI_Datatype type, MPI_Status *status);
/** From the end of a file that can be written: waits until the main thread has passed the call. */
int forerun_pre_seek(int site, MPI_File fh, MPI_Offset offset, int whence);
/** The same where the main thread says by forerun_main_sought where it led: that may be predicted. */
int forerun_pre_seek_end(int site, MPI_File fh, MPI_Offset offset, int whence);
int forerun_pre_set_view(int site, MPI_File fh, MPI_Offset disp, MPI_Datatype etype,
                         MPI_Datatype filetype, const char *datarep);
/** Close, sync, set_size, preallocate, set_atomicity: waits like forerun_pre_sync. */
int forerun_pre_sync_file(int site);
/** MPI_File_close where the program looks at the handle after it: that is MPI_FILE_NULL then. */
int forerun_pre_close_file(int site, MPI_File *fh);
/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
