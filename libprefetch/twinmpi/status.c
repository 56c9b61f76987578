/* SPDX-License-Identifier: Apache-2.0 */
#include "status.h"

#include "types.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

/** MPICH has a number of 63 bits there, and one bit that tells of cancelled calls. */
enum { kLowBits = 32 };

void statusSet(MPI_Status *status, MPI_Count bytes) {
  if (status == MPI_STATUS_IGNORE)
    return;
  memset(status, 0, sizeof *status);
  status->count_lo = (int)(unsigned)bytes;
  status->count_hi_and_cancelled = (int)((bytes >> kLowBits) << 1);
}

static MPI_Count bytesIn(const MPI_Status *status) {
  const MPI_Count high = (unsigned)status->count_hi_and_cancelled >> 1;
  return high << kLowBits | (unsigned)status->count_lo;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
  const Type *of = typesFind(type);
  if (of == NULL)
    return MPI_ERR_TYPE;
  const MPI_Count bytes = bytesIn(status);
  const bool isWhole = of->size != 0 && bytes % of->size == 0 && bytes / of->size <= INT_MAX;
  *count = isWhole ? (int)(bytes / of->size) : bytes == 0 ? 0 : MPI_UNDEFINED;
  return MPI_SUCCESS;
}
