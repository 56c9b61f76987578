/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: structures as arguments and results by value, with one field that matters.
 * The slicer must keep the field that is the offset and may leave out the statistics in it. */
#include <mpi.h>
#include <stdio.h>

struct Cursor {
  MPI_Offset offset;
  int count;
  double mean;
  long seen;
};

static struct Cursor moved(struct Cursor cursor, int by) {
  cursor.offset += by * (MPI_Offset)sizeof(double);
  cursor.count = by % 9 + 1;
  return cursor;
}

static struct Cursor noted(struct Cursor cursor, const double *values) {
  for (int i = 0; i < cursor.count; i++) {
    cursor.seen++;
    cursor.mean += (values[i] - cursor.mean) / (double)cursor.seen;
  }
  return cursor;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "struct-by-value.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  double values[10];
  for (int i = 0; rank == 0 && i < 100; i++) {
    for (int k = 0; k < 10; k++)
      values[k] = i * 10 + k;
    MPI_File_write(file, values, 10, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "struct-by-value.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);

  struct Cursor cursor = {rank * 8, 1, 0, 0};
  for (int i = 0; i < 40; i++) {
    cursor = moved(cursor, i);
    MPI_File_read_at(file, cursor.offset, values, cursor.count, MPI_DOUBLE, MPI_STATUS_IGNORE);
    cursor = noted(cursor, values);
  }
  MPI_File_close(&file);

  double sum = 0;
  MPI_Reduce(&cursor.mean, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("struct-by-value %.3f\n", sum);
  MPI_Finalize();
  return 0;
}
