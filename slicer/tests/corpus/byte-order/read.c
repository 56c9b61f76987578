/* SPDX-License-Identifier: Apache-2.0 */
/* Reads words in the file's byte order. Returns how many words are not zero. */
#include "swap.h"

static int failed(int status) { return status != MPI_SUCCESS; }

int getWords(MPI_File file, MPI_Offset at, void *to, int count) {
  MPI_Status status;
  int got = 0, set = 0;
  if (failed(MPI_File_read_at(file, at, to, count, MPI_INT64_T, &status)))
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Get_count(&status, MPI_INT64_T, &got);
  if (got != count)
    MPI_Abort(MPI_COMM_WORLD, 2);
  swapAll(to, count);
  for (int i = 0; i < count; i++)
    set += ((int64_t *)to)[i] != 0;
  return set;
}
