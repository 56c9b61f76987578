/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: options of the command line through getopt, with optarg, optind and a default.
 * The slicer must keep the parsing that decides about reads; the usage message may go. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kLength = 24, kBlocks = 80 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, option, blocks = 10, stride = 1, verbose = 0;
  const char *path = "getopt-options.dat";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  while ((option = getopt(argc, argv, "n:s:v")) != -1)
    switch (option) {
    case 'n':
      blocks = atoi(optarg);
      break;
    case 's':
      stride = (int)strtol(optarg, NULL, 0);
      break;
    case 'v':
      verbose++;
      break;
    default:
      fprintf(stderr, "usage: getopt-options [-n BLOCKS] [-s STRIDE] [-v] [FILE]\n");
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
  if (optind < argc)
    path = argv[optind];

  int values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int b = 0; b < blocks; b++) {
    MPI_File_read_at(file, (b * stride + rank) % kBlocks * (MPI_Offset)sizeof values, values,
                     kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i];
    if (verbose && rank == 0 && b % 8 == 0)
      printf("block %d: %ld\n", b, sum);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("getopt-options %ld\n", total);
  MPI_Finalize();
  return 0;
}
