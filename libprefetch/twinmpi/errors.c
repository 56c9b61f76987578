/* SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

/** \file
 * What tells of the library itself. MPI has not been initialised, so that a library on top does not
 * expect it to be finalised.
 */

int MPI_Initialized(int *flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

int MPI_Finalized(int *flag) {
  *flag = 0;
  return MPI_SUCCESS;
}

/** All errors here are classes. */
int MPI_Error_class(int code, int *class) {
  *class = code;
  return MPI_SUCCESS;
}

int MPI_Error_string(int code, char *text, int *length) {
  *length = snprintf(text, MPI_MAX_ERROR_STRING, "error %d of the twin's MPI", code);
  return MPI_SUCCESS;
}

double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int MPI_Get_address(const void *location, MPI_Aint *address) {
  *address = (MPI_Aint)location;
  return MPI_SUCCESS;
}
