/* SPDX-License-Identifier: Apache-2.0 */
/* What decides about the next read: a benchmark of loops that no readahead foresees. Plain MPI; no
 * prefetching here. */
#include "options.h"

#include <stdio.h>
#include <string.h>

/* Ends the program on all ranks if MPI reports an error. */
static void must(int rc, const char *what, const char *path) {
  if (rc == MPI_SUCCESS)
    return;
  char reason[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(rc, reason, &length);
  reason[strcspn(reason, "\n")] = '\0';
  fprintf(stderr, "patterns: cannot %s %s: %s\n", what, path, reason);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static MPI_Comm gridOf(int ranks) {
  int dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Comm grid;
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  return grid;
}

/* The exit status. */
static int run(const struct Options *options, int rank, int ranks) {
  struct Walk walk = {
      .rank = rank, .ranks = ranks, .steps = options->steps, .turns = options->turns};
  struct Blocks *blocks = &walk.blocks;
  must(MPI_File_open(MPI_COMM_WORLD, options->file, MPI_MODE_RDONLY, MPI_INFO_NULL, &blocks->file),
       "open", options->file);
  MPI_Offset bytes;
  must(MPI_File_get_size(blocks->file, &bytes), "get the size of", options->file);
  blocks->count = (long)(bytes / (kLength * (MPI_Offset)sizeof(double)));
  if (blocks->count < blocksNeeded(options->steps, ranks)) { /* the same on all ranks */
    if (rank == 0)
      fprintf(stderr, "patterns: %s is too short for %ld steps on %d ranks: --create it\n",
              options->file, options->steps, ranks);
    MPI_File_close(&blocks->file);
    return 1;
  }
  walk.grid = gridOf(ranks);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  double mine[2] = {runPattern(&walk, options->pattern)}, sum, slowest;
  mine[1] = MPI_Wtime() - begin;
  MPI_Reduce(&mine[0], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine[1], &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Comm_free(&walk.grid);
  must(MPI_File_close(&blocks->file), "close", options->file);
  if (rank == 0) {
    printf("patterns: %s, %ld steps, %d ranks, checksum %.6f\n", patternNames[options->pattern],
           options->steps, ranks, sum);
    if (options->times)
      printf("seconds of the slowest rank: %.3f\n", slowest);
  }
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Options options;
  char complaint[256];
  switch (parseOptions(&options, argc, argv, complaint, (int)sizeof complaint)) {
  case WishHelp:
    if (rank == 0)
      printf("%s", usage);
    break;
  case WishBad:
    if (rank == 0)
      fprintf(stderr, "patterns: %s; see --help\n", complaint);
    status = 2;
    break;
  case WishRun:
    if (options.create)
      must(createBlocks(MPI_COMM_WORLD, options.file, blocksNeeded(options.steps, ranks)), "make",
           options.file);
    else
      status = run(&options, rank, ranks);
  }
  MPI_Finalize();
  return status;
}
