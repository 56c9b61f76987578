/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <mpi.h>

#define READ_INTS(in, at, values, count)                                                           \
  MPI_File_read_at((in)->file, (at), (values), (count), MPI_INT, MPI_STATUS_IGNORE)

typedef struct {
  MPI_File file;
  MPI_Offset start;
} Input;
