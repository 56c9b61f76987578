/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: fields of a header are copied out of a byte buffer by memcpy.
 * The slicer must follow bytes through memcpy from the buffer to the offset. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t put(char *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return bytes;
}

static const char *take(void *to, const char *from, size_t bytes) {
  memcpy(to, from, bytes);
  return from + bytes;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char header[64] = {0};
  double values[24];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "memcpy-header.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  if (rank == 0) {
    uint16_t version = 3;
    int64_t start = 512;
    uint32_t blocks = 28;
    size_t n = put(header, &version, sizeof version);
    n += put(header + n, &start, sizeof start);
    put(header + n, &blocks, sizeof blocks);
    MPI_File_write(file, header, sizeof header, MPI_CHAR, MPI_STATUS_IGNORE);
    for (int b = 0; b < 28; b++) {
      for (int i = 0; i < 24; i++)
        values[i] = b - i;
      MPI_File_write_at(file, start + b * (MPI_Offset)sizeof values, values, 24, MPI_DOUBLE,
                        MPI_STATUS_IGNORE);
    }
  }
  MPI_File_close(&file);

  uint16_t version;
  int64_t start;
  uint32_t blocks;
  char found[64];
  MPI_File_open(MPI_COMM_WORLD, "memcpy-header.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read(file, found, sizeof found, MPI_CHAR, MPI_STATUS_IGNORE);
  const char *at = take(&version, found, sizeof version);
  at = take(&start, at, sizeof start);
  take(&blocks, at, sizeof blocks);
  double sum = version, total = 0;
  for (uint32_t b = (uint32_t)rank; b < blocks; b += 2) {
    MPI_File_read_at(file, start + b * (MPI_Offset)sizeof values, values, 24, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < 24; i++)
      sum += values[i] * values[i];
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("memcpy-header %.0f\n", total);
  MPI_Finalize();
  return 0;
}
