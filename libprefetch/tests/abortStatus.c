/* SPDX-License-Identifier: Apache-2.0 */
/* A program with pre-execution's thread level that aborts, and has an exit handler that calls MPI,
 * like HDF5's: its status is the one that it passed to MPI_Abort. */
#include <mpi.h>
#include <stdlib.h>

static void atExit(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  atexit(atExit);
  return MPI_Abort(MPI_COMM_WORLD, 7);
}
