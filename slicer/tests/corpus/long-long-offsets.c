/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: offsets beyond 32 bits in a sparse file, casts and mixed signedness.
 * The slicer must keep the width of every conversion on the way to the offset. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { kLength = 16, kPlaces = 10 };

static const long long base = 5ll << 30;

static MPI_Offset placeOf(unsigned number) {
  uint64_t scrambled = number * 2654435761u; /* wraps at 32 bits */
  return base + (MPI_Offset)(scrambled % 64) * 4096 - (int8_t)(number * 37u);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  double values[kLength], sum = 0, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "long-long-offsets.dat",
                MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  for (unsigned p = (unsigned)rank; p < kPlaces; p += (unsigned)ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = p * 10 + i;
    MPI_File_write_at(file, placeOf(p), values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  for (unsigned p = 0; p < kPlaces; p++) {
    MPI_File_read_at(file, placeOf((p + (unsigned)rank) % kPlaces), values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (p + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("long-long-offsets %.0f\n", total);
  MPI_Finalize();
  return 0;
}
