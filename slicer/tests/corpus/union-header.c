/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a union that is filled as bytes and read as fields.
 * The slicer must see a store to one member of a union as a store to all of them, and fetch the
 * header: the offsets stand in it. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

union Header {
  struct {
    uint32_t magic, records, length, start;
  } field;
  unsigned char bytes[16];
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  union Header header = {.field = {0x46524e31, 30, 24, 64}};
  int values[24];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "union-header.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  if (rank == 0) {
    MPI_File_write_at(file, 0, header.bytes, 16, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int r = 0; r < 30; r++) {
      for (int i = 0; i < 24; i++)
        values[i] = r * 2 - i;
      MPI_File_write_at(file, 64 + r * 96, values, 24, MPI_INT, MPI_STATUS_IGNORE);
    }
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "union-header.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  union Header found;
  MPI_File_read_at(file, 0, found.bytes, 16, MPI_BYTE, MPI_STATUS_IGNORE);
  long sum = 0, total = 0;
  for (uint32_t r = (uint32_t)rank; r < found.field.records; r += 2) {
    MPI_Offset offset = found.field.start + (MPI_Offset)r * found.field.length * 4;
    MPI_File_read_at(file, offset, values, (int)found.field.length, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < 24; i++)
      sum += (long)values[i] * values[i];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("union-header %ld %d\n", total, found.field.magic == header.field.magic);
  MPI_Finalize();
  return 0;
}
