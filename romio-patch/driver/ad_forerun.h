/* SPDX-License-Identifier: Apache-2.0 */

#ifndef AD_FORERUN_H_INCLUDED
#define AD_FORERUN_H_INCLUDED

/* A driver stacked on the file system's own: where a library has registered its
 * table (forerun/door.h) and takes the file, the file's functions are replaced by
 * ones that ask that library first. Without it nothing here does anything. */

struct ADIOI_Forerun;

/* 0: no library has registered its table; else one more than what its `meets`
 * says. */
int ADIOI_Forerun_door(int access_mode, MPI_Info users_info);

/* The file is open on all processes (with deferred open perhaps not yet on this
 * one). Collective. doors: the least ADIOI_Forerun_door() of all. */
void ADIOI_Forerun_open(ADIO_File fd, int access_mode, MPI_Info users_info, int doors);

/* A deferred open has happened on this process. */
void ADIOI_Forerun_opened_late(ADIO_File fd);

/* The file is about to be closed; restores the file system's own functions. */
void ADIOI_Forerun_close(ADIO_File fd);

/* The view has been set. */
void ADIOI_Forerun_view(ADIO_File fd);

/* Nothing that was read before is to be trusted. settled: 1 if no non-blocking write
 * through fd is under way. */
void ADIOI_Forerun_epoch(ADIO_File fd, int settled);

/* A collective write: what the others have written in it is known when it returns, as if this
 * process had written that, too. Processes that write for each other, as HDF5's do where they
 * share a compressed chunk, read it after no more than that. */
void ADIOI_Forerun_WriteStridedColl(ADIO_File fd, const void *buf, int count, MPI_Datatype datatype,
                                    int file_ptr_type, ADIO_Offset offset, ADIO_Status *status,
                                    int *error_code);

/* The program synchronises, whether the driver has anything to flush or not. */
void ADIOI_Forerun_sync(ADIO_File fd);

/* The read of a read-modify-write that happens outside the write call. */
void ADIOI_Forerun_rmw_iread(ADIO_File fd, void *buf, int count, ADIO_Offset offset,
                             ADIO_Request *request, int *error_code);

/* What an aggregator of a collective read reads for all. */
void ADIOI_Forerun_aggregator_read(ADIO_File fd, void *buf, int count, ADIO_Offset offset,
                                   ADIO_Status *status, int *error_code);

/* The file system's own functions */
ADIOI_Fns *ADIOI_Forerun_base(ADIO_File fd);

#ifdef ROMIO_PVFS2
struct forerun_reader;

/* How the library reads a file that has no descriptor */
void ADIOI_PVFS2_Forerun_reader(ADIO_File fd, struct forerun_reader *reader);
#endif

#endif /* AD_FORERUN_H_INCLUDED */
