/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 2D-convolution: every process reads pairs of tiles of two images in a shared file, convolves
 * them by FFT, and writes the tiles of the result. Plain MPI; no prefetching here. */
#include "convolution.h"
#include "images.h"
#include "options.h"

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* Which tiles a rank works on: whole columns while there are enough of them, else every rowStep-th
 * row of one column. Rounds and steps are the same on all ranks, as collective calls need. */
struct Share {
  long firstColumn, columnStep, rounds;
  long firstRow, rowStep, steps;
};

struct Totals {
  long long checksum; /* of integers: the same in whatever order it is summed */
  double distance;    /* from direct convolution */
  double reading, compute, writing;
};

static struct Share shareOf(int rank, int ranks, struct Grid grid) {
  if (ranks <= kColumns)
    return (struct Share){rank, ranks, (kColumns + ranks - 1) / ranks, 0, 1, grid.rows};
  const long fewest = ranks / kColumns, column = rank % kColumns;
  return (struct Share){.firstColumn = column,
                        .columnStep = kColumns,
                        .rounds = 1,
                        .firstRow = rank / kColumns,
                        .rowStep = fewest + (column < ranks % kColumns),
                        .steps = (grid.rows + fewest - 1) / fewest};
}

/* Ends the program on all ranks if MPI reports an error. */
static void must(int rc, const char *what, const char *path) {
  if (rc == MPI_SUCCESS)
    return;
  char reason[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(rc, reason, &length);
  reason[strcspn(reason, "\n")] = '\0';
  fprintf(stderr, "tile2d: cannot %s %s: %s\n", what, path, reason);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static MPI_File opened(const char *path, int mode) {
  MPI_File file;
  must(MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file), "open", path);
  return file;
}

static long long checksumOf(const double *tile, long elements) {
  long long sum = 0;
  for (long i = 0; i < elements; i++)
    sum += llround(tile[i] * 1000) * (i % 7 + 1);
  return sum;
}

/* One pair of tiles; `count` is 0 for a rank that only takes part in the collective calls. */
static void workOn(MPI_File in, MPI_File out, const struct Options *options, struct Grid grid,
                   long row, int count, struct Convolver *convolver, struct Totals *totals) {
  double start = MPI_Wtime();
  must(readTile(in, grid, row, firstTile(convolver), count, options->collective), "read",
       options->file);
  must(readTile(in, grid, grid.rows + row, secondTile(convolver), count, options->collective),
       "read", options->file);
  double now = MPI_Wtime();
  totals->reading += now - start;
  start = now;
  if (count > 0) {
    convolve(convolver);
    totals->checksum += checksumOf(resultTile(convolver), count);
    if (options->verify)
      totals->distance = fmax(totals->distance, distanceFromDirect(convolver));
  }
  now = MPI_Wtime();
  totals->compute += now - start;
  must(writeTile(out, grid, row, resultTile(convolver), count, options->collective), "write",
       options->out);
  totals->writing += MPI_Wtime() - now;
}

static void workOnAll(MPI_File in, MPI_File out, const struct Options *options, struct Grid grid,
                      struct Share share, struct Convolver *convolver, struct Totals *totals) {
  for (long round = 0; round < share.rounds; round++) {
    const long column = share.firstColumn + round * share.columnStep;
    const long shown = column < kColumns ? column : 0;
    must(showColumn(in, grid, shown), "set the view of", options->file);
    must(showColumn(out, grid, shown), "set the view of", options->out);
    for (long step = 0; step < share.steps; step++) {
      const long row = share.firstRow + step * share.rowStep;
      const int mine = column < kColumns && row < grid.rows && row * kColumns + column < grid.tiles;
      if (mine || options->collective)
        workOn(in, out, options, grid, mine ? row : 0, mine ? (int)(grid.size * grid.size) : 0,
               convolver, totals);
    }
  }
}

/* On rank 0; 0 on success. */
static int report(const struct Options *options, int ranks, const struct Totals *totals) {
  printf("tile2d: %ld pairs of %ld x %ld, %d ranks, %s, checksum %lld\n", options->tiles,
         options->size, options->size, ranks, options->collective ? "collective" : "independent",
         totals->checksum);
  if (options->times)
    printf("seconds of the slowest rank: reads %.3f, compute %.3f, writes %.3f\n", totals->reading,
           totals->compute, totals->writing);
  const double allowed = 1e-12 * (double)options->size * (double)options->size;
  if (options->verify && !(totals->distance <= allowed)) {
    fprintf(stderr, "tile2d: the result is %g away from direct convolution\n", totals->distance);
    return 1;
  }
  return 0;
}

static int run(const struct Options *options, int rank, int ranks) {
  const struct Grid grid = gridOf(options->tiles, options->size);
  if (options->create)
    must(createImages(MPI_COMM_WORLD, options->file, grid), "make", options->file);
  struct Convolver *convolver = newConvolver(grid.size);
  if (!convolver)
    must(MPI_ERR_NO_MEM, "plan for", options->file);
  MPI_File in = opened(options->file, MPI_MODE_RDONLY);
  MPI_File out = opened(options->out, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  MPI_Offset there;
  const MPI_Offset needed =
      2 * grid.rows * grid.size * kColumns * grid.size * (MPI_Offset)sizeof(double);
  must(MPI_File_get_size(in, &there), "get the size of", options->file);
  if (there < needed) { /* the same on all ranks: no rank need be aborted */
    if (rank == 0)
      fprintf(stderr, "tile2d: %s is shorter than two images of that many tiles\n", options->file);
    deleteConvolver(convolver);
    MPI_File_close(&in);
    MPI_File_close(&out);
    return 1;
  }
  /* What no tile covers is zero: a collective write may read it and write it back. */
  must(MPI_File_set_size(out, needed / 2), "set the size of", options->out);

  struct Totals mine = {0}, all = {0};
  workOnAll(in, out, options, grid, shareOf(rank, ranks, grid), convolver, &mine);
  must(MPI_File_close(&in), "close", options->file);
  must(MPI_File_close(&out), "close", options->out);
  deleteConvolver(convolver);

  MPI_Reduce(&mine.checksum, &all.checksum, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  /* distance and the three times */
  MPI_Reduce(&mine.distance, &all.distance, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return rank == 0 ? report(options, ranks, &all) : 0;
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
      fprintf(stderr, "tile2d: %s; see --help\n", complaint);
    status = 2;
    break;
  case WishRun:
    status = run(&options, rank, ranks);
  }
  MPI_Finalize();
  return status;
}
