/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * What ROMIO needs from the inside of MPICH, made from MPI's public functions and the three
 * internals that libmpich exports: critical section, error returns, checks of datatypes.
 *
 * libmpich's MPI_File_set_errhandler and its like reach into the file handle: `cookie` and
 * `err_handler` must stay where MPICH's own ROMIO has them. The series only appends to the
 * structure; the assertions below hold it to that.
 */

#include "contiguous.h"

#include "adio.h"
#include "mpir_ext.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

_Static_assert(offsetof(struct ADIOI_FileD, cookie) == 0, "libmpich reads the cookie here");
_Static_assert(sizeof(void *) != 8 || offsetof(struct ADIOI_FileD, err_handler) == 200,
               "libmpich keeps the error handler here");

/* ---- critical section ---- */

/* Recursive: an error handler or a callback of the program may call MPI-IO again. */
static pthread_mutex_t critical_section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void MPIR_Ext_cs_enter(void) { pthread_mutex_lock(&critical_section); }
void MPIR_Ext_cs_exit(void) { pthread_mutex_unlock(&critical_section); }

/* ---- errors ---- */

/* libmpich knows the handler of MPI_FILE_NULL and of every handle. */
int MPIO_Err_return_file(MPI_File fh, int error_code) {
  PMPI_File_call_errhandler(fh, error_code);
  return error_code;
}

int MPIO_Err_return_comm(MPI_Comm comm, int error_code) {
  PMPI_Comm_call_errhandler(comm, error_code);
  return error_code;
}

int MPIR_Ext_assert_fail(const char *condition, const char *file, int line) {
  fprintf(stderr, "Assertion failed in file %s at line %d: %s\n", file, line, condition);
  return PMPI_Abort(MPI_COMM_WORLD, 1);
}

/* ---- datatypes ---- */

void MPIR_Datatype_iscontig(MPI_Datatype datatype, int *flag) {
  *flag = forerun_is_contiguous(datatype);
}

/* A communicator on which a failing call returns its error instead of ending the program. */
static MPI_Comm probe_comm = MPI_COMM_NULL;

static MPI_Comm get_probe_comm(void) {
  if (probe_comm == MPI_COMM_NULL) {
    PMPI_Comm_dup(MPI_COMM_SELF, &probe_comm);
    PMPI_Comm_set_errhandler(probe_comm, MPI_ERRORS_RETURN);
  }
  return probe_comm;
}

/* Packing nothing checks the datatype, and gives MPI's own error code for an uncommitted one. */
int MPIR_Ext_datatype_iscommitted(MPI_Datatype datatype) {
  if (forerun_is_known_named(datatype))
    return MPI_SUCCESS;
  char nothing;
  int position = 0;
  return PMPI_Pack(&nothing, 0, datatype, &nothing, 0, &position, get_probe_comm());
}

int MPIR_Ext_init(void) { return MPI_SUCCESS; }
