/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BLOCKS_H
#define BLOCKS_H
#include <mpi.h>

enum { kBlock = 28, kBlocks = 33 };

inline MPI_Offset blockOffset(int block) {
  return (MPI_Offset)block * kBlock * (MPI_Offset)sizeof(int);
}

inline void readBlock(MPI_File file, int block, int *values) {
  MPI_File_read_at(file, blockOffset(block), values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
}

long secondHalf(MPI_File file, int start);

#endif
