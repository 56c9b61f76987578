/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_PREFETCH_H
#define FORERUN_PREFETCH_H

/** \file
 * Prefetch calls in MPI's style: one counterpart for every way to read, and for what moves the file
 * pointer, changes the view or writes. After Chen, Byna, Sun, Thakur, Gropp (SC'08), section V-B.
 *
 * Every call returns MPI_SUCCESS: a prefetch that cannot be made costs time, never an error, if its
 * arguments are objects of MPI: a datatype that is none, or was freed, is a mistake like in any call
 * of MPI. None waits for storage (except MPI_File_prefetch_read and _read_at, which return bytes),
 * none takes a lock of MPI-IO, none moves the file's normal pointers, none is collective, whatever
 * its name: the name says which read it stands for.
 *
 * A file has two prefetch file pointers and views: one of the pre-execution thread, and one for all
 * other threads (programs may call these functions by hand), which follows MPI_File_set_view.
 * Counts are in units of `datatype`, offsets in etypes of the prefetch view, as in the read that
 * the call stands for. In a view with holes a call takes time for each piece that lies in the file:
 * about as much as the read does.
 *
 * Threads: any; calls by hand on one file from several threads need ordering by the program.
 */

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** @{ Issues a prefetch of what MPI_File_read, read_all, read_shared, read_ordered (or their
 * non-blocking and split forms) will read at the prefetch file pointer, and moves that pointer. */
int MPI_File_prefetch(MPI_File fh, int count, MPI_Datatype datatype);
int MPI_File_prefetch_all(MPI_File fh, int count, MPI_Datatype datatype);
int MPI_File_prefetch_shared(MPI_File fh, int count, MPI_Datatype datatype);
int MPI_File_prefetch_ordered(MPI_File fh, int count, MPI_Datatype datatype);
/** @} */

/** @{ Issues a prefetch of what MPI_File_read_at or read_at_all will read at `offset` (in etypes of
 * the view). */
int MPI_File_prefetch_at(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype);
int MPI_File_prefetch_at_all(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype);
/** @} */

/** Moves the prefetch file pointer as MPI_File_seek moves the individual one. */
int MPI_File_prefetch_seek(MPI_File fh, MPI_Offset offset, int whence);

/** Sets the prefetch view and resets the prefetch file pointer. The arguments are those of
 * MPI_File_set_view. */
int MPI_File_prefetch_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype,
                               MPI_Datatype filetype, const char *datarep, MPI_Info info);

/** @{ Stands for a write: writes nothing, but records the dirty range. A prefetch that overlaps it
 * and follows it in program order waits until the main thread has passed that write (delayed
 * synchronisation). By hand: until the process has written these bytes, or at the latest until it
 * synchronises, resizes or closes the file. */
int MPI_File_prefetch_write(MPI_File fh, int count, MPI_Datatype datatype);
int MPI_File_prefetch_write_at(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype);
/** @} */

/** @{ Brings the bytes themselves, through the cache, into the caller's buffer (for addresses that
 * depend on data). Waits for the storage and, unless by hand, for overlapping dirty ranges. On failure or at the end
 * of the file the rest of `buffer` is left unchanged and `*got` (may be NULL) says how many bytes
 * came. */
int MPI_File_prefetch_read(MPI_File fh, void *buffer, int count, MPI_Datatype datatype,
                           size_t *got);
int MPI_File_prefetch_read_at(MPI_File fh, MPI_Offset offset, void *buffer, int count,
                              MPI_Datatype datatype, size_t *got);
/** @} */

/** A synchronisation point of the file (sync, set_size, ...): what follows is fetched only after
 * the main thread has passed it. Without a pre-execution thread it does nothing. */
int MPI_File_prefetch_sync(MPI_File fh);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
