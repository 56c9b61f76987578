/* SPDX-License-Identifier: Apache-2.0 */
/** \file
 * Loaded first, it makes of MPICH another release of it, as a program meets where it runs on another machine.
 */
#include <mpi.h>
#include <string.h>

int PMPI_Get_library_version(char *text, int *length) {
  strcpy(text, "MPICH Version:      99.1\nMPICH Release date: some day\n");
  *length = (int)strlen(text);
  return MPI_SUCCESS;
}
