/* SPDX-License-Identifier: Apache-2.0 */
#include "clash.h"

static int stride = 11;
static long seen = 1;

static int position(int step) { return kBlocks * 7 - step * stride--; }

static long readHere(MPI_File file, int step) {
  int values[kBlock];
  int block = position(step) % kBlocks;
  if (block < 0)
    block += kBlocks;
  MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kBlock, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kBlock; i++)
    seen = (seen + values[i]) % 8191;
  return seen;
}

long readThere(MPI_File file, int step) { return readHere(file, step % 10); }
