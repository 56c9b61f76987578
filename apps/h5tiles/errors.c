/* SPDX-License-Identifier: Apache-2.0 */
#include "errors.h"

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kReasonBytes = 256 };

/* HDF5's innermost error comes first. */
static herr_t takeReason(unsigned n, const H5E_error2_t *error, void *reason) {
  if (n == 0)
    snprintf(reason, kReasonBytes, ": %s", error->desc);
  return 0;
}

void must(int good, const char *what, const char *name) {
  int rank, ranks, first;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bad = good ? ranks : rank;
  MPI_Allreduce(&bad, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == ranks)
    return;
  if (rank == first) {
    char reason[kReasonBytes] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, takeReason, reason);
    reason[strcspn(reason, "\n")] = '\0';
    fprintf(stderr, "h5tiles: cannot %s %s%s\n", what, name, reason);
  }
  MPI_Finalize();
  exit(1);
}

void *memoryFor(size_t count, size_t bytes, const char *name) {
  void *memory = calloc(count > 0 ? count : 1, bytes);
  must(memory != NULL, "get memory for", name);
  return memory;
}
