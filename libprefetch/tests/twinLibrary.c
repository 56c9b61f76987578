/* SPDX-License-Identifier: Apache-2.0 */
/* A library that uses MPI. */
#include <mpi.h>

int twinLibraryAsks(void);
int twinLibraryReads(MPI_File file);

/* Whether MPI has been initialised. */
int twinLibraryAsks(void) {
  int flag = -1;
  MPI_Initialized(&flag);
  return flag;
}

int twinLibraryReads(MPI_File file) {
  char byte;
  return MPI_File_read_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
}
