/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * What ROMIO needs from MPICH's internals, built from MPI's public functions and the three
 * internals that libmpich exports: critical section, error returns, checks of datatypes.
 *
 * libmpich's MPI_File_set_errhandler and similar functions access the file handle: `cookie` and
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

/* Packing zero elements checks the datatype, and returns MPI's own error code for an uncommitted
 * one. Meanwhile a failing call returns its error instead of ending the program. A communicator of
 * our own would be the cleaner place for that, but a program may need every communicator
 * available. */
static int pack_nothing(MPI_Datatype datatype) {
  MPI_Errhandler programs;
  char nothing;
  int position = 0;
  PMPI_Comm_get_errhandler(MPI_COMM_SELF, &programs);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const int rc = PMPI_Pack(&nothing, 0, datatype, &nothing, 0, &position, MPI_COMM_SELF);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, programs);
  PMPI_Errhandler_free(&programs);
  return rc;
}

/* MPICH's handles say what they are: bits 26 to 29 of which kind, the two above where it lies. MPI's
 * functions that ask about a datatype give the error for another handle to the handler of
 * MPI_COMM_WORLD, which ends the program; MPI-IO gives it to the file's. */
static int is_datatype(MPI_Datatype handle) {
  const unsigned bits = (unsigned)handle;
  return (bits >> 26 & 0xf) == 3 && bits >> 30 != 0;
}

/* Named datatypes are committed from the beginning. A committed datatype stays committed, and an
 * attribute remembers it. */
int MPIR_Ext_datatype_iscommitted(MPI_Datatype datatype) {
  static int keyval = MPI_KEYVAL_INVALID;
  if (!is_datatype(datatype))
    return pack_nothing(datatype);
  if (forerun_is_known_named(datatype))
    return MPI_SUCCESS;
  int integers, addresses, types, combiner;
  ADIOI_Type_get_envelope(datatype, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_NAMED)
    return MPI_SUCCESS;
  if (keyval == MPI_KEYVAL_INVALID)
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
  void *value = NULL;
  int known = 0;
  PMPI_Type_get_attr(datatype, keyval, &value, &known);
  if (known)
    return MPI_SUCCESS;
  const int rc = pack_nothing(datatype);
  if (rc == MPI_SUCCESS)
    PMPI_Type_set_attr(datatype, keyval, NULL);
  return rc;
}

int MPIR_Ext_init(void) { return MPI_SUCCESS; }
