/* SPDX-License-Identifier: Apache-2.0 */
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void pb_barrier(MPI_Comm comm) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(comm, &request);
  for (;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done)
      return;
    const struct timespec nap = {0, 1000000};
    nanosleep(&nap, NULL);
  }
}

static void print_csv(const struct pb_options *o, int ranks, const struct pb_times *t,
                      double checksum) {
  printf("pattern,n,ranks,rows,compute,total_s,open_s,read_s,write_s,compute_s,bytes,checksum\n");
  printf("%s,%ld,%d,%ld,%ld,%.6f,%.6f,%.6f,%.6f,%.6f,%.0f,%.17g\n", pb_pattern_name(o->pattern),
         o->n, ranks, o->rows, o->compute, t->total, t->open, t->read, t->write, t->compute,
         t->bytes, checksum);
}

static void print_text(const struct pb_options *o, int ranks, const struct pb_times *t,
                       double checksum) {
  printf("pbench: %s, %ld x %ld, %d ranks, %ld rows each, %ld iterations\n",
         pb_pattern_name(o->pattern), o->n, o->n, ranks, o->rows, o->compute);
  printf("  total    %10.3f s   %.1f MiB/s read\n", t->total, t->bytes / t->total / (1 << 20));
  printf("  open     %10.3f s\n  reads    %10.3f s\n", t->open, t->read);
  printf("  writes   %10.3f s\n  compute  %10.3f s\n", t->write, t->compute);
  printf("  checksum %.17g\n", checksum);
}

void pb_report(MPI_Comm comm, const struct pb_options *o, const struct pb_times *mine,
               double checksum) {
  int rank, ranks;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  const double send[] = {mine->total,   mine->open,  mine->read, mine->write,
                         mine->compute, mine->bytes, checksum};
  enum { kFigures = sizeof send / sizeof *send };
  double *all = malloc((size_t)ranks * sizeof send);
  MPI_Gather(send, kFigures, MPI_DOUBLE, all, kFigures, MPI_DOUBLE, 0, comm);
  if (rank == 0) {
    struct pb_times t = {0};
    double sum = 0;
    for (const double *of = all; of < all + (long)ranks * kFigures; of += kFigures) {
      t.total = of[0] > t.total ? of[0] : t.total;
      t.open += of[1] / ranks;
      t.read += of[2] / ranks;
      t.write += of[3] / ranks;
      t.compute += of[4] / ranks;
      t.bytes += of[5];
      sum += of[6];
    }
    (o->csv ? print_csv : print_text)(o, ranks, &t, sum);
  }
  free(all);
}
