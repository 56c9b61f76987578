/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: bit fields, masks, shifts, a bit-reversed order and a packed word of parameters.
 * The slicer must see a store to a bit field as a store to that field. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { kLength = 29, kBits = 6, kBlocks = 1 << kBits };

struct Flags {
  unsigned reversed : 1;
  unsigned shift : 5;
  unsigned : 2;
  unsigned statistics : 8;
};

static uint32_t reverse(uint32_t x) {
  uint32_t y = 0;
  for (int i = 0; i < kBits; i++)
    y |= (x >> i & 1u) << (kBits - 1 - i);
  return y;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "bit-tricks.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b << (i % 4);
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Flags flags = {0};
  uint64_t wanted = 0x9249a5c300f0f12bull >> rank;
  long sum = 0, total = 0;
  MPI_File_open(MPI_COMM_WORLD, "bit-tricks.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (uint32_t b = 0; b < kBlocks; b++) {
    flags.reversed ^= b % 5 == 0;
    flags.shift = b & 3;
    if (!(wanted & 1ull << b))
      continue;
    uint32_t block = (flags.reversed ? reverse(b) : b ^ flags.shift) & (kBlocks - 1);
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += __builtin_popcount((unsigned)values[i]);
    flags.statistics = (unsigned)sum & 0xff;
  }
  MPI_File_close(&file);
  sum += flags.statistics;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("bit-tricks %ld\n", total);
  MPI_Finalize();
  return 0;
}
