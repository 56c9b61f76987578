/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: how many pixels of a tile are bright decides whether its finer tile is read, too. Pixels
 * are integers, but no index: the slicer must have the main thread hand over how the condition
 * comes out, and neither fetch the tile nor count its pixels. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kTile = 4096, kTiles = 480, kStretch = 80, kStepUs = 1000 };

static int brightPixels(const unsigned char *tile) {
  int bright = 0;
  for (int pass = 0; pass < 16; pass++)
    for (int i = 0; i < kTile; i++)
      bright += (tile[i] ^ pass) > 128;
  usleep(kStepUs);
  return bright / 16;
}

static void make(const char *path, unsigned char *tile) {
  FILE *file = fopen(path, "wb");
  for (int t = 0; t < kTiles; t++) {
    for (int i = 0; i < kTile; i++)
      tile[i] = (unsigned char)((t / kStretch % 2 ? 180 : 60) + i % 50);
    fwrite(tile, 1, kTile, file);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  unsigned char *tile = malloc(kTile);
  int rank, ranks;
  long found = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) {
    make("pixels-decide.coarse", tile);
    make("pixels-decide.fine", tile);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File coarse, fine;
  MPI_File_open(MPI_COMM_WORLD, "pixels-decide.coarse", MPI_MODE_RDONLY, MPI_INFO_NULL, &coarse);
  MPI_File_open(MPI_COMM_WORLD, "pixels-decide.fine", MPI_MODE_RDONLY, MPI_INFO_NULL, &fine);
  for (int t = 0; t < kTiles; t++) {
    MPI_Offset place = (MPI_Offset)((t + rank) % kTiles) * kTile;
    MPI_File_read_at(coarse, place, tile, kTile, MPI_BYTE, MPI_STATUS_IGNORE);
    if (brightPixels(tile) > kTile / 2) {
      MPI_File_read_at(fine, place, tile, kTile, MPI_BYTE, MPI_STATUS_IGNORE);
      found += brightPixels(tile) * (t % 7 + 1);
    }
  }
  MPI_File_close(&coarse);
  MPI_File_close(&fine);
  MPI_Reduce(&found, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pixels-decide %ld\n", all);
  free(tile);
  MPI_Finalize();
  return 0;
}
