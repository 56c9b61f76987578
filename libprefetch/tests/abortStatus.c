/* SPDX-License-Identifier: Apache-2.0 */
/* A program with the level of threads that pre-execution has, which aborts, with a function for its exit that calls MPI, as HDF5 has one: its status is what
 * it gave to MPI_Abort. */
#include <mpi.h>
#include <stdlib.h>

static void atExit(void) { MPI_Barrier(MPI_COMM_WORLD); }

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  atexit(atExit);
  return MPI_Abort(MPI_COMM_WORLD, 7);
}
