/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SWAP_H
#define SWAP_H
#include <mpi.h>
#include <stdint.h>

/* In a file, all numbers have their highest byte first. */
static inline void swapAll(void *values, long count) {
  unsigned char *bytes = values;
  for (long i = 0; i < count; i++)
    for (int b = 0; b < 4; b++) {
      const unsigned char low = bytes[8 * i + b];
      bytes[8 * i + b] = bytes[8 * i + 7 - b];
      bytes[8 * i + 7 - b] = low;
    }
}

int getWords(MPI_File file, MPI_Offset at, void *to, int count);
#endif
