/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "handle.h"

static inline void openInput(Input *input, const char *path) {
  input->start = 40;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &input->file);
}

static inline int *readRow(Input *input, int row, int *values, int count) {
  READ_INTS(input, input->start + (MPI_Offset)row * count * 4, values, count);
  return values;
}
