/* SPDX-License-Identifier: Apache-2.0 */
/* What the test of races has to find: a pre-execution thread, written by hand as the slicer never
 * writes one, that counts in a variable of the program. */
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdio.h>

enum { kSteps = 1000 };

static long position;

static int pre(int argc, char **argv) {
  (void)argc, (void)argv;
  for (int i = 0; i < kSteps; i++)
    position += 8;
  return 0;
}

int main(int argc, char **argv) {
  forerun_main_begin(argc, argv);
  forerun_main_start(pre, 1, forerun_main_MPI_Init(&argc, &argv));
  for (int i = 0; i < kSteps; i++)
    position += 8;
  printf("shared-global %s\n", position >= 8 * kSteps ? "counted" : "lost");
  MPI_Finalize();
  return 0;
}
