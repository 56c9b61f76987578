/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a variadic function that takes its offsets from its argument list.
 * The slicer must keep va_start, va_arg and va_end together with the read. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

static long readMany(MPI_File file, int count, ...) {
  va_list offsets;
  va_start(offsets, count);
  long sum = 0;
  for (int i = 0; i < count; i++) {
    int values[16];
    MPI_Offset offset = va_arg(offsets, MPI_Offset);
    int length = va_arg(offsets, int);
    MPI_File_read_at(file, offset, values, length, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < length; k++)
      sum = (sum * 3 + values[k]) % 1000003;
  }
  va_end(offsets);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("variadic-offsets.dat", "wb");
    for (int i = 0; i < 1024; i++)
      fwrite(&i, sizeof i, 1, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "variadic-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (MPI_Offset at = rank * 128; at < 2048; at += 512) {
    sum += readMany(file, 1, at, 16);
    sum += readMany(file, 3, at + 256, 4, at + 64, 8, at + 1024, 16);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("variadic-offsets %ld\n", total);
  MPI_Finalize();
  return 0;
}
