/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: helpers ask the communicator for what they need wherever they read: rank, size, place in
 * the grid, neighbours. The pre-execution thread must know the answers itself: handed over, each
 * would come only when the main thread is there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kTile = 512, kSteps = 40, kStepUs = 500 };

typedef struct {
  MPI_Comm comm;
  MPI_File file;
} Field;

static MPI_Offset placeOf(const Field *field, int step, int owner) {
  int size;
  MPI_Comm_size(field->comm, &size);
  return ((MPI_Offset)step * size + owner) * kTile * (MPI_Offset)sizeof(double);
}

static void readTile(const Field *field, int step, int owner, double *tile) {
  MPI_File_read_at(field->file, placeOf(field, step, owner), tile, kTile, MPI_DOUBLE,
                   MPI_STATUS_IGNORE);
}

/* The tile `by` columns to the right. */
static void readBeside(const Field *field, int step, int by, double *tile) {
  int rank, dims[2], periods[2], coords[2];
  MPI_Cart_get(field->comm, 2, dims, periods, coords);
  coords[1] = (coords[1] + by) % dims[1];
  MPI_Cart_rank(field->comm, coords, &rank);
  readTile(field, step, rank, tile);
}

static void readNeighbour(const Field *field, int step, double *tile) {
  int from, to;
  MPI_Cart_shift(field->comm, 0, 1 + step % 2, &from, &to);
  if (to == MPI_PROC_NULL)
    MPI_Comm_rank(field->comm, &to);
  readTile(field, step, to, tile);
}

static double sumOf(const double *tile) {
  double sum = 0;
  for (int i = 0; i < kTile; i++)
    sum += tile[i];
  usleep(kStepUs);
  return sum;
}

static void make(const Field *field, double *tile) {
  int rank;
  MPI_Comm_rank(field->comm, &rank);
  for (int step = 0; step < kSteps; step++) {
    for (int i = 0; i < kTile; i++)
      tile[i] = step * 100 + rank * 10 + i % 7;
    MPI_File_write_at(field->file, placeOf(field, step, rank), tile, kTile, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Field field;
  int rank, ranks, dims[2] = {0, 0}, periods[2] = {0, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &field.comm);
  double *tile = malloc(kTile * sizeof *tile);
  MPI_File_open(field.comm, "cart-in-helpers.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &field.file);
  make(&field, tile);
  MPI_File_close(&field.file);

  MPI_File_open(field.comm, "cart-in-helpers.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &field.file);
  double sum = 0, all = 0;
  for (int step = 0; step < kSteps; step++) {
    readBeside(&field, step * 7 % kSteps, step % 3, tile);
    sum += sumOf(tile);
    readNeighbour(&field, step, tile);
    sum += sumOf(tile);
  }
  MPI_File_close(&field.file);
  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, field.comm);
  MPI_Comm_rank(field.comm, &rank);
  if (rank == 0)
    printf("cart-in-helpers %.1f\n", all);
  free(tile);
  MPI_Comm_free(&field.comm);
  MPI_Finalize();
  return 0;
}
