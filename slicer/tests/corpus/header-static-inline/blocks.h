/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BLOCKS_H
#define BLOCKS_H
#include <mpi.h>

enum { kBlock = 28, kBlocks = 33 };

static inline MPI_Offset blockOffset(int block) {
  return (MPI_Offset)block * kBlock * (MPI_Offset)sizeof(int);
}

static inline int nextBlock(int block) {
  static int step;
  step = (step + 4) % 9;
  return (block + step) % kBlocks;
}

static inline void readBlock(MPI_File file, int block, int *values) {
  MPI_File_read_at(file, blockOffset(block), values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
}

#endif
