/* SPDX-License-Identifier: Apache-2.0 */
/* A user's program in several files: reads the number in its input file and prints it. */
#include "part.h"
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int number = 0;
  MPI_Init(&argc, &argv);
  if (argc > 1)
    number = readNumber(argv[1]);
  printf("the number is %d%s\n", number, OF_THE_COMMAND_LINE);
  MPI_Finalize();
  return 0;
}
