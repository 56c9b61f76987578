/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a cartesian topology; each rank reads its own and its neighbours' blocks.
 * The slicer must keep dims, coords and shift: all of them define by address. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 52 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], values[kLength];
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_coords(grid, rank, 2, coords);

  MPI_File file;
  MPI_File_open(grid, "cart-neighbours.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int i = 0; i < kLength; i++)
    values[i] = coords[0] * 100 + coords[1] * 10 + i;
  MPI_File_write_at(file, rank * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                    MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(grid, "cart-neighbours.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int direction = 0; direction < 2; direction++)
    for (int distance = 1; distance <= 3; distance++) {
      int from, to;
      MPI_Cart_shift(grid, direction, distance, &from, &to);
      int sources[3] = {from, rank, to};
      for (int s = 0; s < 3; s++) {
        if (sources[s] == MPI_PROC_NULL)
          continue;
        MPI_File_read_at(file, sources[s] * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                         MPI_STATUS_IGNORE);
        for (int i = 0; i < kLength; i++)
          sum += values[i] * (s + distance);
      }
    }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, grid);
  if (rank == 0)
    printf("cart-neighbours %ld\n", total);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
