/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include <mpi.h>

FILE *pb_trace_open(const char *prefix, int rank) {
  if (!*prefix)
    return NULL;
  char path[4200];
  snprintf(path, sizeof path, "%s.%d", prefix, rank);
  FILE *trace = fopen(path, "w");
  if (!trace) {
    fprintf(stderr, "pbench: cannot write %s\n", path);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return trace;
}

void pb_trace_read(FILE *trace, long long offset, long length) {
  if (trace)
    fprintf(trace, "%lld %ld\n", offset, length);
}

void pb_trace_close(FILE *trace) {
  if (trace)
    fclose(trace);
}
