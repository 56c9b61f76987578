/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an image in a file, seen as tiles through subarray views: a grid of processes, ghost
 * borders, a filter, a pyramid of smaller levels that are written and read again.
 *
 * The slicer must keep the grid, the views with their sizes and starts, and the levels' places in
 * the file; the filters go. Writes of a level are dirty ranges for the reads of the next one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWidth = 96, kHeight = 64, kLevels = 3, kGhost = 2 };

struct Level {
  int width, height;
  MPI_Offset offset;
};

struct Tile {
  int x, y, width, height;                 /* what this process is responsible for */
  int fromX, fromY, fullWidth, fullHeight; /* the same with its ghost border, within the image */
  float *pixels;
};

struct Grid {
  MPI_Comm comm;
  int dims[2], coords[2];
  int rank, ranks;
};

static struct Level levels[kLevels];

/* ---- geometry ---- */

static void makeGrid(struct Grid *grid) {
  int periods[2] = {0, 0};
  grid->dims[0] = grid->dims[1] = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &grid->ranks);
  MPI_Dims_create(grid->ranks, 2, grid->dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, grid->dims, periods, 0, &grid->comm);
  MPI_Comm_rank(grid->comm, &grid->rank);
  MPI_Cart_coords(grid->comm, grid->rank, 2, grid->coords);
}

static void planLevels(void) {
  MPI_Offset end = 0;
  for (int l = 0; l < kLevels; l++) {
    levels[l].width = kWidth >> l;
    levels[l].height = kHeight >> l;
    levels[l].offset = end;
    end += (MPI_Offset)levels[l].width * levels[l].height * (MPI_Offset)sizeof(float);
  }
}

static int clamped(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

static struct Tile tileOf(const struct Grid *grid, const struct Level *level, int ghost) {
  struct Tile tile;
  int lowY = level->height * grid->coords[0] / grid->dims[0];
  int highY = level->height * (grid->coords[0] + 1) / grid->dims[0];
  int lowX = level->width * grid->coords[1] / grid->dims[1];
  int highX = level->width * (grid->coords[1] + 1) / grid->dims[1];
  tile.x = lowX;
  tile.y = lowY;
  tile.width = highX - lowX;
  tile.height = highY - lowY;
  tile.fromX = clamped(lowX - ghost, 0, level->width);
  tile.fromY = clamped(lowY - ghost, 0, level->height);
  tile.fullWidth = clamped(highX + ghost, 0, level->width) - tile.fromX;
  tile.fullHeight = clamped(highY + ghost, 0, level->height) - tile.fromY;
  tile.pixels = calloc((size_t)tile.fullWidth * (size_t)tile.fullHeight, sizeof *tile.pixels);
  if (!tile.pixels)
    MPI_Abort(grid->comm, 1);
  return tile;
}

/* ---- access ---- */

static void view(MPI_File file, const struct Level *level, int x, int y, int width, int height) {
  int sizes[2] = {level->height, level->width};
  int parts[2] = {height, width};
  int starts[2] = {y, x};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_FLOAT, &type);
  MPI_Type_commit(&type);
  MPI_File_set_view(file, level->offset, MPI_FLOAT, type, "native", MPI_INFO_NULL);
  MPI_Type_free(&type);
}

static void readTile(MPI_File file, const struct Level *level, struct Tile *tile) {
  view(file, level, tile->fromX, tile->fromY, tile->fullWidth, tile->fullHeight);
  MPI_File_read_all(file, tile->pixels, tile->fullWidth * tile->fullHeight, MPI_FLOAT,
                    MPI_STATUS_IGNORE);
}

static void writeTile(MPI_File file, const struct Level *level, const struct Tile *tile,
                      const float *pixels) {
  view(file, level, tile->x, tile->y, tile->width, tile->height);
  MPI_File_write_all(file, pixels, tile->width * tile->height, MPI_FLOAT, MPI_STATUS_IGNORE);
}

/* One line of pixels of the whole image, without a view of its own: by bytes. */
static double lineSum(MPI_File file, const struct Level *level, int y) {
  float *line = malloc((size_t)level->width * sizeof *line);
  MPI_File_read_at(file, level->offset + (MPI_Offset)y * level->width * (MPI_Offset)sizeof *line,
                   line, level->width * (int)sizeof *line, MPI_BYTE, MPI_STATUS_IGNORE);
  double sum = 0;
  for (int x = 0; x < level->width; x++)
    sum += line[x] * (float)(x % 3 + 1);
  free(line);
  return sum;
}

/* ---- pixels ---- */

static float pixelOf(int x, int y) { return (float)((x * x + 3 * y) % 64); }

static void makeImage(const char *path, const struct Grid *grid) {
  MPI_File file;
  MPI_File_open(grid->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, levels[kLevels - 1].offset + levels[kLevels - 1].width *
                                                           levels[kLevels - 1].height *
                                                           (MPI_Offset)sizeof(float));
  for (int y = grid->rank; y < kHeight; y += grid->ranks) {
    float line[kWidth];
    for (int x = 0; x < kWidth; x++)
      line[x] = pixelOf(x, y);
    MPI_File_write_at(file, (MPI_Offset)y * (MPI_Offset)sizeof line, line, kWidth, MPI_FLOAT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

/* Mean of the neighbourhood, rounded so that it does not depend on the order of additions. */
static float blurred(const struct Tile *tile, int x, int y) {
  float sum = 0;
  int count = 0;
  for (int dy = -kGhost; dy <= kGhost; dy++)
    for (int dx = -kGhost; dx <= kGhost; dx++) {
      int atX = x + dx - tile->fromX, atY = y + dy - tile->fromY;
      if (atX < 0 || atY < 0 || atX >= tile->fullWidth || atY >= tile->fullHeight)
        continue;
      sum += tile->pixels[atY * tile->fullWidth + atX];
      count++;
    }
  return (float)(int)(sum / (float)count);
}

static float *shrunk(const struct Tile *source, const struct Tile *target) {
  float *pixels = malloc((size_t)target->width * (size_t)target->height * sizeof *pixels);
  for (int y = 0; y < target->height; y++)
    for (int x = 0; x < target->width; x++) {
      int fromX =
          clamped(2 * (target->x + x), source->fromX, source->fromX + source->fullWidth - 1);
      int fromY =
          clamped(2 * (target->y + y), source->fromY, source->fromY + source->fullHeight - 1);
      pixels[y * target->width + x] = blurred(source, fromX, fromY);
    }
  return pixels;
}

/* ---- the pyramid ---- */

static double buildLevel(MPI_File file, const struct Grid *grid, int l) {
  struct Tile source = tileOf(grid, &levels[l - 1], kGhost);
  struct Tile target = tileOf(grid, &levels[l], 0);
  readTile(file, &levels[l - 1], &source);
  float *pixels = shrunk(&source, &target);
  double sum = 0;
  for (int i = 0; i < target.width * target.height; i++)
    sum += pixels[i];
  writeTile(file, &levels[l], &target, pixels);
  free(pixels);
  free(target.pixels);
  free(source.pixels);
  return sum;
}

static void settle(MPI_File file, MPI_Comm comm) {
  MPI_File_sync(file);
  MPI_Barrier(comm);
  MPI_File_sync(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  struct Grid grid;
  makeGrid(&grid);
  planLevels();
  makeImage("image-tiles.raw", &grid);

  MPI_File file;
  MPI_File_open(grid.comm, "image-tiles.raw", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  double sums[kLevels] = {0}, all[kLevels];
  for (int l = 1; l < kLevels; l++) {
    sums[l] = buildLevel(file, &grid, l);
    settle(file, grid.comm);
  }
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  for (int l = 0; l < kLevels; l++)
    for (int y = grid.rank; y < levels[l].height; y += grid.ranks * (l + 2))
      sums[0] += lineSum(file, &levels[l], y) * (l + 1);
  MPI_File_close(&file);

  MPI_Reduce(sums, all, kLevels, MPI_DOUBLE, MPI_SUM, 0, grid.comm);
  if (grid.rank == 0)
    printf("image-tiles: lines %.0f, levels %.0f %.0f\n", all[0], all[1], all[2]);
  MPI_Comm_free(&grid.comm);
  MPI_Finalize();
  return 0;
}
