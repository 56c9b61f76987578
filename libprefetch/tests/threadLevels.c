/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/door.h"
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Begins like a sliced program that asks for the thread level in the first argument (none:
 * MPI_Init), and must be told the level in the second one. MPI runs with the highest level or, with
 * a third argument, for a slice that calls no MPI, with the requested one. */

/* Poses as a patched MPI-IO, without which nothing is launched. */
__attribute__((visibility("default"))) int forerun_mpiio_register(const forerun_door *door) {
  return door->version == FORERUN_DOOR_VERSION ? 0 : 1;
}

int main(int argc, char **argv) {
  const char *const asked = argv[1];
  const int wanted = atoi(argv[2]);
  const int isWithout = argc > 3;
  int provided = wanted, told = -1, real = -1;
  if (isWithout)
    forerun_main_without_mpi();
  if (asked[0] == 'n')
    forerun_main_MPI_Init(&argc, &argv);
  else
    forerun_main_MPI_Init_thread(&argc, &argv, atoi(asked), &provided);
  MPI_Query_thread(&told);
  PMPI_Query_thread(&real);
  MPI_Finalize();
  if (provided == wanted && told == wanted && real == (isWithout ? wanted : MPI_THREAD_MULTIPLE))
    return 0;
  printf("asked for %s: given %d, told %d, and not %d; MPI has %d\n", asked, provided, told, wanted,
         real);
  return 1;
}
