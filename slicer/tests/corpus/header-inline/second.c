/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

extern inline MPI_Offset blockOffset(int block);
extern inline void readBlock(MPI_File file, int block, int *values);

long secondHalf(MPI_File file, int start) {
  long sum = 0;
  for (int i = start; i < kBlocks; i++) {
    int values[kBlock];
    readBlock(file, i, values);
    for (int k = 0; k < kBlock; k++)
      sum -= values[k];
  }
  return sum;
}
