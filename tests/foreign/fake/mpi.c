/* SPDX-License-Identifier: Apache-2.0 */
/** \file
 * The library. It trusts nobody: a handle that is not one of its own ends the process, as it does
 * sooner or later with a true MPI. What Forerun's libraries would call of MPI beside what
 * `program.c` does is there, and ends the process too: nobody may call it.
 */
#include "mpi.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FAKE_STANDARD
#define FAKE_VERSION "MPICH Version:      5.0.99" /* whose own interface is in another library */
int MPI_Abi_get_version(int *major, int *minor) {
  *major = 1;
  *minor = 0;
  return 0;
}
#else
#define FAKE_VERSION "Open MPI v5.0.99, package: none, of 1 January"
char ompi_mpi_comm_world[64], ompi_mpi_int[64], ompi_mpi_info_null[64];
#endif

struct fake_file {
  int fd;
};
static struct fake_file files[4];

static void need(int holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "the fake MPI was given what is not its own: %s\n", what);
  abort();
}

static int index_of(MPI_File file) {
  const uintptr_t at = (uintptr_t)file - (uintptr_t)files;
  need(at < sizeof files && at % sizeof *files == 0, "a file");
  return (int)(at / sizeof *files);
}

int PMPI_Get_library_version(char *text, int *length) {
  *length = sprintf(text, FAKE_VERSION "\nand more");
  return 0;
}

int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  (void)argc, (void)argv, (void)required;
  *provided = MPI_THREAD_MULTIPLE;
  return 0;
}

int PMPI_Init(int *argc, char ***argv) {
  int provided;
  return PMPI_Init_thread(argc, argv, 0, &provided);
}

int PMPI_Query_thread(int *provided) {
  *provided = MPI_THREAD_MULTIPLE;
  return 0;
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
  need(comm == MPI_COMM_WORLD, "a communicator");
  *rank = 0;
  return 0;
}

int PMPI_Barrier(MPI_Comm comm) {
  need(comm == MPI_COMM_WORLD, "a communicator");
  return 0;
}

int PMPI_Abort(MPI_Comm comm, int code) {
  need(comm == MPI_COMM_WORLD, "a communicator");
  exit(code + 1);
}

int PMPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file) {
  need(comm == MPI_COMM_WORLD && info == MPI_INFO_NULL && mode == MPI_MODE_RDONLY, "an argument");
  files[2].fd = open(path, O_RDONLY);
  *file = &files[2];
  return files[2].fd < 0 ? 20 : 0;
}

int PMPI_File_read_at(MPI_File file, MPI_Offset offset, void *to, int count, MPI_Datatype type,
                      MPI_Status *status) {
  need(type == MPI_INT, "a datatype");
  const ssize_t got = pread(files[index_of(file)].fd, to, (size_t)count * sizeof(int), offset);
  if (status != MPI_STATUS_IGNORE)
    memset(status, 0, sizeof *status);
  return got < 0 ? 35 : 0;
}

int PMPI_File_close(MPI_File *file) {
  close(files[index_of(*file)].fd);
  *file = NULL;
  return 0;
}

int PMPI_Finalize(void) { return 0; }

#define ALSO(function) __typeof__(P##function) function __attribute__((alias("P" #function)))
ALSO(MPI_Init_thread);
ALSO(MPI_Init);
ALSO(MPI_Query_thread);
ALSO(MPI_Comm_rank);
ALSO(MPI_Barrier);
ALSO(MPI_Abort);
ALSO(MPI_File_open);
ALSO(MPI_File_read_at);
ALSO(MPI_File_close);
ALSO(MPI_Finalize);
int MPI_Get_library_version(char *text, int *length)
    __attribute__((alias("PMPI_Get_library_version")));

#include "rest.h"
