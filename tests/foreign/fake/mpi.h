/* SPDX-License-Identifier: Apache-2.0 */
/** \file
 * As much of an MPI as `program.c` needs, with one process, in two binary interfaces that differ
 * from MPICH's: Open MPI's, whose handles are addresses of the library's own data, and that of the
 * MPI standard (-DFAKE_STANDARD), whose handles are numbers in pointers and whose levels of threads
 * are other ones.
 */
#ifndef FAKE_MPI_H
#define FAKE_MPI_H

#include <stdint.h>

typedef struct fake_comm *MPI_Comm;
typedef struct fake_type *MPI_Datatype;
typedef struct fake_file *MPI_File;
typedef struct fake_info *MPI_Info;
typedef struct fake_errhandler *MPI_Errhandler;
typedef int64_t MPI_Offset;
typedef int64_t MPI_Count;
typedef struct MPI_Status {
  int words[8];
} MPI_Status;

#ifdef FAKE_STANDARD
#define MPI_ABI_VERSION 1
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_INT ((MPI_Datatype)0x205)
#define MPI_INFO_NULL ((MPI_Info)0x138)
#define MPI_THREAD_MULTIPLE 4096
#else
#define OPEN_MPI 1
#define OMPI_MAJOR_VERSION 5
#define OMPI_MINOR_VERSION 0
#define OMPI_RELEASE_VERSION 99
extern char ompi_mpi_comm_world[64], ompi_mpi_int[64], ompi_mpi_info_null[64];
#define MPI_COMM_WORLD ((MPI_Comm)(void *)ompi_mpi_comm_world)
#define MPI_INT ((MPI_Datatype)(void *)ompi_mpi_int)
#define MPI_INFO_NULL ((MPI_Info)(void *)ompi_mpi_info_null)
#define MPI_THREAD_MULTIPLE 3
#endif
#define MPI_VERSION 3
#define MPI_SUCCESS 0
#define MPI_MODE_RDONLY 2
#define MPI_STATUS_IGNORE ((MPI_Status *)0)

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Init(int *argc, char ***argv);
int MPI_Query_thread(int *provided);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Barrier(MPI_Comm comm);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file);
int MPI_File_read_at(MPI_File file, MPI_Offset offset, void *to, int count, MPI_Datatype type,
                     MPI_Status *status);
int MPI_File_read_at_c(MPI_File file, MPI_Offset offset, void *to, MPI_Count count,
                       MPI_Datatype type, MPI_Status *status); /* which it lacks */
int MPI_File_close(MPI_File *file);
int MPI_Finalize(void);

#endif
