/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

long secondHalf(MPI_File file, int start);

long secondHalf(MPI_File file, int start) {
  long sum = 0;
  for (int i = 0, block = start; i < 15; i++, block = nextBlock(block)) {
    int values[kBlock];
    readBlock(file, block, values);
    for (int k = 0; k < kBlock; k++)
      sum -= values[k];
  }
  return sum;
}
