/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include <stdint.h>
#include <stdlib.h>

enum { kBlockBytes = 4 << 20 };

void pb_matrix_row(double *row, long n, long number) {
  const uint32_t start = (uint32_t)number * 2654435761u + 12345u;
  for (long i = 0; i < n; i++) {
    uint32_t h = start + (uint32_t)i * 2246822519u;
    h ^= h >> 15;
    h *= 3266489917u;
    h ^= h >> 13;
    row[i] = (double)(int32_t)(h >> 1) * (1.0 / 2147483648.0);
  }
}

MPI_Offset pb_row_offset(long n, long number) {
  return (MPI_Offset)number * n * (MPI_Offset)sizeof(double);
}

/* Rows [first, last) through `block`, which has room for `block_rows` of them. */
static int write_rows(MPI_File fh, long n, long first, long last, double *block, long block_rows) {
  int rc = MPI_SUCCESS;
  while (first < last && rc == MPI_SUCCESS) {
    long count = last - first < block_rows ? last - first : block_rows;
    for (long i = 0; i < count; i++)
      pb_matrix_row(block + i * n, n, first + i);
    rc = MPI_File_write_at(fh, pb_row_offset(n, first), block, (int)(count * n), MPI_DOUBLE,
                           MPI_STATUS_IGNORE);
    first += count;
  }
  return rc;
}

int pb_matrix_create(MPI_Comm comm, const char *file, long n) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  MPI_File fh;
  int rc = MPI_File_open(comm, file, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh);
  if (rc != MPI_SUCCESS)
    return rc;

  long block_rows = kBlockBytes / (n * (long)sizeof(double));
  if (block_rows < 1)
    block_rows = 1;
  double *block = malloc((size_t)block_rows * (size_t)n * sizeof(double));
  rc = MPI_File_set_size(fh, pb_row_offset(n, n));
  if (rc == MPI_SUCCESS)
    rc = block ? write_rows(fh, n, n * rank / ranks, n * (rank + 1) / ranks, block, block_rows)
               : MPI_ERR_NO_MEM;
  free(block);
  int closed = MPI_File_close(&fh);
  return rc != MPI_SUCCESS ? rc : closed;
}
