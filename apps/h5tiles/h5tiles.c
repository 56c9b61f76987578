/* SPDX-License-Identifier: Apache-2.0 */
/* h5tiles: a time series of a three-dimensional field in an HDF5 file, written by all processes
 * together, and read in random tiles or step by step. Plain MPI and HDF5; no prefetching here. */
#include "errors.h"
#include "modes.h"
#include "options.h"

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

static void run(const struct Options *options) {
  switch (options->mode) {
  case ModeMake:
    makeFile(options);
    break;
  case ModeTiles:
    readTiles(options);
    break;
  case ModeSeries:
    readSeries(options);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* reported as errors.h says */
  struct Options options;
  char complaint[256];
  switch (parseOptions(&options, argc, argv, complaint, sizeof complaint)) {
  case WishHelp:
    if (rank == 0)
      printf("%s", usage);
    break;
  case WishBad:
    if (rank == 0)
      fprintf(stderr, "h5tiles: %s; see --help\n", complaint);
    status = 2;
    break;
  case WishRun:
    run(&options);
  }
  MPI_Finalize();
  return status;
}
