/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that use the program's generators of random numbers. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void seedAndDraw(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  srand((unsigned)now.tv_nsec);
  srand48(now.tv_nsec);
  for (int n = rand() % 100; n > 0; n--) {
    (void)rand();
    (void)drand48();
  }
}

int MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh) {
  seedAndDraw();
  return PMPI_File_open(comm, filename, amode, info, fh);
}

void othersMixIn(void) { seedAndDraw(); }
