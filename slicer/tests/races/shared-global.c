/* SPDX-License-Identifier: Apache-2.0 */
/* The race that the test has to find: a hand-written pre-execution thread that counts in a variable
 * of the program, as the slicer never generates one. */
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
