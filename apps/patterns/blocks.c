/* SPDX-License-Identifier: Apache-2.0 */
#include "blocks.h"

static const long kScatter = 2654435761; /* odd, so that a product is a permutation */

long placeOf(const struct Blocks *blocks, long number) {
  return number * kScatter & (blocks->count - 1);
}

int createBlocks(MPI_Comm comm, const char *path, long count) {
  struct Blocks blocks = {.count = 1};
  while (blocks.count < count)
    blocks.count *= 2;
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int rc =
      MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &blocks.file);
  if (rc != MPI_SUCCESS)
    return rc;
  double values[kLength];
  for (long number = rank; number < blocks.count && rc == MPI_SUCCESS; number += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = (double)number + (i % 2 ? 0.25 : -0.25);
    rc = MPI_File_write_at(blocks.file, placeOf(&blocks, number) * (MPI_Offset)sizeof values,
                           values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  const int closed = MPI_File_close(&blocks.file);
  return rc != MPI_SUCCESS ? rc : closed;
}

int readBlock(const struct Blocks *blocks, long number, double *values) {
  return MPI_File_read_at(blocks->file,
                          placeOf(blocks, number) * kLength * (MPI_Offset)sizeof *values, values,
                          kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

double meanOf(const double *values, long turns) {
  double sum = 0; /* of quarters, so that it is exact */
  for (long turn = 0; turn < turns; turn++)
    for (int i = 0; i < kLength; i++)
      sum += values[(i + turn) % kLength];
  return sum / (double)turns / kLength;
}
