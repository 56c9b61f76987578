/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE2D_IMAGES_H
#define TILE2D_IMAGES_H

/** \file
 * Where the tiles are. Both images are `kColumns` tiles wide and lie one after the other in one
 * file, row by row: a row of a tile is contiguous, the next one is an image's width away. The
 * result is one image of the same kind.
 *
 * All ranks of the communicator call these functions together, except readTile and writeTile for
 * independent access.
 */

#include <mpi.h>

enum { kColumns = 8 };

struct Grid {
  long size;  /**< rows of a tile, and columns */
  long tiles; /**< of an image; the last row of tiles may not be full */
  long rows;  /**< rows of tiles of an image */
};

struct Grid gridOf(long tiles, long size);

/** Elements are a function of their position alone. Returns MPI's code. */
int createImages(MPI_Comm comm, const char *path, struct Grid grid);

/** From here on `file` shows one column of tiles, one tile after the other. */
int showColumn(MPI_File file, struct Grid grid, long column);

/** Tile `row` of the column that is shown: in the file of both images, the tiles of the second
 * follow those of the first. `count` is the number of elements of a tile, or 0 in collective calls
 * of ranks that have no tile. */
int readTile(MPI_File file, struct Grid grid, long row, double *tile, int count, int collective);
int writeTile(MPI_File file, struct Grid grid, long row, const double *tile, int count,
              int collective);

#endif
