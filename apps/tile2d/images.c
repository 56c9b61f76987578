/* SPDX-License-Identifier: Apache-2.0 */
#include "images.h"

#include <stdint.h>
#include <stdlib.h>

struct Grid gridOf(long tiles, long size) {
  return (struct Grid){.size = size, .tiles = tiles, .rows = (tiles + kColumns - 1) / kColumns};
}

static void makeRow(double *row, long width, long number) {
  const uint32_t start = (uint32_t)number * 2654435761u + 97u;
  for (long i = 0; i < width; i++) {
    uint32_t mixed = start + (uint32_t)i * 2246822519u;
    mixed ^= mixed >> 15;
    mixed *= 3266489917u;
    mixed ^= mixed >> 13;
    row[i] = (double)(int32_t)mixed * (1.0 / 2147483648.0);
  }
}

int createImages(MPI_Comm comm, const char *path, struct Grid grid) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_File file;
  int rc = MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (rc != MPI_SUCCESS)
    return rc;
  const long width = kColumns * grid.size, height = 2 * grid.rows * grid.size;
  rc = MPI_File_set_size(file, (MPI_Offset)height * width * (MPI_Offset)sizeof(double));
  double *row = malloc((size_t)width * sizeof *row);
  if (!row)
    rc = MPI_ERR_NO_MEM;
  const long first = height * rank / ranks, last = height * (rank + 1) / ranks;
  for (long r = first; r < last && rc == MPI_SUCCESS; r++) {
    makeRow(row, width, r);
    rc = MPI_File_write_at(file, (MPI_Offset)r * width * (MPI_Offset)sizeof(double), row,
                           (int)width, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  free(row);
  const int closed = MPI_File_close(&file);
  return rc != MPI_SUCCESS ? rc : closed;
}

int showColumn(MPI_File file, struct Grid grid, long column) {
  const int size = (int)grid.size;
  const int band[2] = {size, kColumns * size}, tile[2] = {size, size};
  const int start[2] = {0, (int)column * size};
  MPI_Datatype view;
  int rc = MPI_Type_create_subarray(2, band, tile, start, MPI_ORDER_C, MPI_DOUBLE, &view);
  if (rc != MPI_SUCCESS)
    return rc;
  MPI_Type_commit(&view);
  rc = MPI_File_set_view(file, 0, MPI_DOUBLE, view, "native", MPI_INFO_NULL);
  MPI_Type_free(&view);
  return rc;
}

int readTile(MPI_File file, struct Grid grid, long row, double *tile, int count, int collective) {
  const MPI_Offset offset = (MPI_Offset)row * grid.size * grid.size;
  return collective ? MPI_File_read_at_all(file, offset, tile, count, MPI_DOUBLE, MPI_STATUS_IGNORE)
                    : MPI_File_read_at(file, offset, tile, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

int writeTile(MPI_File file, struct Grid grid, long row, const double *tile, int count,
              int collective) {
  const MPI_Offset offset = (MPI_Offset)row * grid.size * grid.size;
  return collective
             ? MPI_File_write_at_all(file, offset, tile, count, MPI_DOUBLE, MPI_STATUS_IGNORE)
             : MPI_File_write_at(file, offset, tile, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
}
