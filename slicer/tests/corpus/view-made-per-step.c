/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a view of its own for each step, of a datatype made there by each of MPI's constructors in
 * turn. The slicer must not wait for the main thread to make them: the pre-execution thread makes its
 * own. */
#include <mpi.h>
#include <stdio.h>

enum { kSide = 64, kSteps = 96 };

static int values[kSide * kSide], piece[kSide];

/* Of row and column. */
static void pieceOf(int kind, int row, int column, MPI_Datatype *made) {
  int sizes[2] = {kSide, kSide}, parts[2] = {4, 4}, starts[2] = {row, column};
  int lengths[3] = {1, 2, 1}, places[3] = {row, row + 8, row + 17};
  int distributions[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, shares[2] = {2, 2};
  int arguments[2] = {1 + row % 4, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Aint bytes[3] = {4 * row, 256 + 4 * column, 1024};
  MPI_Datatype inner, types[3] = {MPI_INT, MPI_FLOAT, MPI_INT};
  switch (kind) {
  case 0:
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, made);
    break;
  case 1:
    MPI_Type_vector(4, 2, 8 + row % 5, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, 4 * (200 + column), made);
    MPI_Type_free(&inner);
    break;
  case 2:
    MPI_Type_indexed(3, lengths, places, MPI_INT, made);
    break;
  case 3:
    MPI_Type_create_struct(3, lengths, bytes, types, made);
    break;
  case 4:
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_create_hindexed_block(3, 1, bytes, inner, made);
    MPI_Type_free(&inner);
    break;
  case 5:
    MPI_Type_create_darray(4, row % 4, 2, sizes, distributions, arguments, shares, MPI_ORDER_C,
                           MPI_INT, made);
    break;
  case 6:
    MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &inner);
    MPI_Type_dup(inner, made);
    MPI_Type_free(&inner);
    break;
  default:
    MPI_Type_create_hvector(3, 2, 64 + 4 * column, MPI_INT, made);
  }
}

static long sumOf(const int *all, int count) {
  long sum = 0;
  for (int k = 1; k < 40000; k++)
    for (int i = 0; i < count; i++)
      sum += (long)all[i] * (i + k) % 1013;
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "view-made-per-step.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; i < kSide * kSide; i++)
    values[i] = i * 7 % 4099;
  if (rank == 0)
    MPI_File_write(file, values, kSide * kSide, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "view-made-per-step.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int step = 0; step < kSteps; step++) {
    MPI_Datatype view;
    int size;
    pieceOf(step % 8, (step * 5 + rank) % 32, step % 29, &view);
    MPI_Type_commit(&view);
    MPI_Type_size(view, &size);
    MPI_File_set_view(file, 4 * (step % 3), MPI_INT, view, "native", MPI_INFO_NULL);
    int count = size / (int)sizeof(int) < kSide ? size / (int)sizeof(int) : kSide;
    MPI_File_read_at(file, step % 2, piece, count, MPI_INT, MPI_STATUS_IGNORE);
    sum += sumOf(piece, count);
    MPI_Type_free(&view);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("view-made-per-step %ld\n", total);
  MPI_Finalize();
  return 0;
}
