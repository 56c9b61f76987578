/* SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>

/* Linked into a program: an MPI library that does not give MPI_THREAD_MULTIPLE. */
__attribute__((visibility("default"))) int MPI_Init_thread(int *argc, char ***argv, int required,
                                                           int *provided) {
  (void)required;
  return PMPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, provided);
}
