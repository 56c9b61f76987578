/* SPDX-License-Identifier: Apache-2.0 */
/* PBench: every process reads rows of a matrix in a shared file and computes on what it read.
 * After Chen, Byna, Sun, Thakur, Gropp (SC'08), section VI-B.
 * Made from pbench/pbench.c by pbench/by-hand, down to the pre-execution thread. */
#include "compute.h"
#include "draw.h"
#include "matrix.h"
#include "options.h"
#include "timing.h"
#include "trace.h"

#include "forerun/prefetch.h"
#include "forerun/runtime.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
  struct pb_options o;
  int rank, ranks;
  MPI_File fh;
  MPI_Datatype mine; /* strided: the rows of this rank in the file */
  double *row;
  long *contents; /* by row: the number of the row that is there now (writes change it) */
  long *order;    /* shuffled, apart: the rows that this rank reads, in this order */
  long ordered;   /* so many */
  FILE *trace;
  unsigned long long drawn; /* where the random numbers are */
  struct pb_times times;
  double checksum;
};

static void main__pre(void *argument);

static void must(int rc, const char *what) {
  if (rc == MPI_SUCCESS)
    return;
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(rc, text, &length);
  fprintf(stderr, "pbench: %s: %s\n", what, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void must_be_whole(const MPI_Status *status, long n) {
  int count;
  MPI_Get_count(status, MPI_DOUBLE, &count);
  if (count == n)
    return;
  fprintf(stderr, "pbench: the file is shorter than the matrix; make it with --create\n");
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void open_file(struct run *r) {
  int amode = r->o.pattern == PB_WRITES ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
  must(forerun_main_done(0, MPI_File_open(MPI_COMM_WORLD, r->o.file, amode, MPI_INFO_NULL, &r->fh)),
       r->o.file);
  if (r->o.pattern == PB_STRIDED)
    must(forerun_main_done(1, MPI_File_set_view(r->fh, pb_row_offset(r->o.n, r->rank), MPI_DOUBLE,
                                                r->mine, "native", MPI_INFO_NULL)),
         "set_view");
}

/* Row numbers that are known without the data. */
static long next_row(struct run *r, long i) {
  switch (r->o.pattern) {
  case PB_SEQUENTIAL:
    return (r->o.n * r->rank / r->ranks + i) % r->o.n;
  case PB_STRIDED:
    return r->rank + i % (r->o.n / r->ranks) * r->ranks;
  case PB_WRITES: /* rows that no other rank touches */
    return r->rank + pb_draw(&r->drawn, r->o.n / r->ranks) * r->ranks;
  case PB_SHUFFLED:
  case PB_APART:
    return r->order[i % r->ordered];
  default:
    return pb_draw(&r->drawn, r->o.n);
  }
}

static void read_row(struct run *r, long number) {
  MPI_Offset offset = pb_row_offset(r->o.n, number);
  int n = (int)r->o.n;
  MPI_Status status;
  if (r->o.pattern == PB_STRIDED) {
    if (number == r->rank)
      must(MPI_File_seek(r->fh, 0, MPI_SEEK_SET), "seek");
    if (r->o.collective)
      must(forerun_main_done(2, MPI_File_read_all(r->fh, r->row, n, MPI_DOUBLE, &status)), "read");
    else
      must(forerun_main_done(3, MPI_File_read(r->fh, r->row, n, MPI_DOUBLE, &status)), "read");
  } else if (r->o.collective) {
    must(forerun_main_done(4, MPI_File_read_at_all(r->fh, offset, r->row, n, MPI_DOUBLE, &status)),
         "read");
  } else {
    must(forerun_main_done(5, MPI_File_read_at(r->fh, offset, r->row, n, MPI_DOUBLE, &status)),
         "read");
  }
  must_be_whole(&status, r->o.n);
}

static void write_row(struct run *r, long number, long version) {
  r->contents[number] = version;
  pb_matrix_row(r->row, r->o.n, version);
  if (!r->o.no_io)
    must(forerun_main_done(6, MPI_File_write_at(r->fh, pb_row_offset(r->o.n, number), r->row,
                                                (int)r->o.n, MPI_DOUBLE, MPI_STATUS_IGNORE)),
         "write");
}

static void use_row(struct run *r, long number, double started) {
  double fetched = MPI_Wtime();
  r->times.read += fetched - started;
  r->times.bytes += (double)r->o.n * sizeof(double);
  pb_trace_read(r->trace, pb_row_offset(r->o.n, number), r->o.n * (long)sizeof(double));
  r->checksum = pb_compute(r->checksum, r->row, r->o.n, r->o.compute);
  r->times.compute += MPI_Wtime() - fetched;
}

/* Reads rows whose numbers are known ahead; with the pattern "writes" every fourth round also
 * writes one. */
static void visit_rows(struct run *r) {
  for (long i = 0; i < r->o.rows; i++) {
    long number = next_row(r, i);
    double started = MPI_Wtime();
    if (r->o.no_io)
      pb_matrix_row(r->row, r->o.n, r->contents[number]);
    else
      read_row(r, number);
    use_row(r, number, started);
    if (r->o.pattern == PB_WRITES && i % 4 == 3) {
      started = MPI_Wtime();
      number = next_row(r, i);
      write_row(r, number, number + r->o.n * (i + 1));
      r->times.write += MPI_Wtime() - started;
    }
  }
}

/* Reads rows each of which contains the number of the next. */
static void follow_rows(struct run *r) {
  long number = next_row(r, 0);
  for (long i = 0; i < r->o.rows; i++) {
    MPI_Offset offset = pb_row_offset(r->o.n, number);
    MPI_Status status;
    double started = MPI_Wtime();
    if (r->o.no_io) {
      pb_matrix_row(r->row, r->o.n, number);
    } else {
      must(forerun_main_done(
               7, MPI_File_read_at(r->fh, offset, r->row, (int)r->o.n, MPI_DOUBLE, &status)),
           "read");
      must_be_whole(&status, r->o.n);
    }
    use_row(r, number, started);
    number = (long)(r->row[i % r->o.n] * (double)r->o.n);
  }
}

/* Writes back what the run has changed, so that the next run finds the same matrix. */
static void restore(struct run *r) {
  for (long number = r->rank; number < r->o.n; number += r->ranks)
    if (r->contents[number] != number)
      write_row(r, number, number);
}

static void run(struct run *r) {
  pb_barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  if (!r->o.no_io)
    open_file(r);
  double opened = MPI_Wtime();
  r->times.open = opened - begin;
  if (r->o.pattern == PB_DEPENDENT)
    follow_rows(r);
  else
    visit_rows(r);
  r->times.total = MPI_Wtime() - opened;
  pb_barrier(MPI_COMM_WORLD);
  restore(r);
  if (!r->o.no_io)
    must(forerun_main_done(8, MPI_File_close(&r->fh)), "close");
}

/* The type lives until MPI_Finalize, as the view made from it may. */
static void make_stride(struct run *r) {
  MPI_Datatype one;
  MPI_Type_contiguous((int)r->o.n, MPI_DOUBLE, &one);
  MPI_Type_create_resized(one, 0, pb_row_offset(r->o.n, r->ranks), &r->mine);
  MPI_Type_commit(&r->mine);
  MPI_Type_free(&one);
}

/* All rows, or this rank's share of them, in an order of its own. */
static void shuffle_rows(struct run *r) {
  long first = r->o.pattern == PB_APART ? r->o.n * r->rank / r->ranks : 0;
  long end = r->o.pattern == PB_APART ? r->o.n * (r->rank + 1) / r->ranks : r->o.n;
  r->ordered = end - first;
  for (long i = 0; i < r->ordered; i++) {
    long other = pb_draw(&r->drawn, i + 1);
    r->order[i] = r->order[other];
    r->order[other] = first + i;
  }
}

/* What the run needs, from the options; 0 if they do not fit together. */
static int prepare(struct run *r) {
  /* The kernel's copy speed depends on where in its page the buffer begins: always alike. */
  const size_t page = 4096, bytes = (size_t)r->o.n * sizeof(double);
  r->row = aligned_alloc(page, (bytes + page - 1) / page * page);
  r->contents = malloc((size_t)r->o.n * sizeof(long));
  r->order = malloc((size_t)r->o.n * sizeof(long));
  if (!r->row || !r->contents || !r->order || r->o.n < r->ranks) {
    if (r->rank == 0)
      fprintf(stderr, "pbench: the matrix is too large for the memory or has fewer rows than "
                      "there are ranks\n");
    return 0;
  }
  for (long i = 0; i < r->o.n; i++)
    r->contents[i] = i;
  if (r->o.pattern == PB_STRIDED)
    make_stride(r);
  r->trace = pb_trace_open(r->o.trace, r->rank);
  r->drawn = r->o.seed + (unsigned)r->rank;
  if (r->o.pattern == PB_SHUFFLED || r->o.pattern == PB_APART)
    shuffle_rows(r);
  return 1;
}

int main(int argc, char **argv) {
  static struct run r;
  char complaint[4200];
  forerun_main_MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
  enum pb_wish wish = pb_options_parse(&r.o, argc, argv, complaint, sizeof complaint);
  if (wish == PB_HELP && r.rank == 0)
    fputs(pb_usage, stdout);
  if (wish == PB_VERSION && r.rank == 0)
    fputs(pb_version, stdout);
  if (wish == PB_BAD && r.rank == 0)
    fprintf(stderr, "pbench: %s (--help for help)\n", complaint);
  int status = wish == PB_BAD ? 2 : 0;
  if (wish == PB_RUN) {
    if (r.o.create && !r.o.no_io)
      must(pb_matrix_create(MPI_COMM_WORLD, r.o.file, r.o.n), r.o.file);
    if (!prepare(&r)) {
      status = 2;
    } else if (r.o.rows > 0) {
      forerun_main_launch(main__pre, &r, sizeof r, 9);
      run(&r);
      pb_report(MPI_COMM_WORLD, &r.o, &r.times, r.checksum);
    }
    pb_trace_close(r.trace);
  }
  MPI_Finalize();
  return status;
}

/* ---- The pre-execution thread: the slice of the program on its I/O calls. ---- */

static void open_file__pre(struct run *r) {
  r->fh = forerun_pre_open(0);
  if (r->o.pattern == PB_STRIDED) {
    forerun_pre_sync(1);
    MPI_File_prefetch_set_view(r->fh, pb_row_offset(r->o.n, r->rank), MPI_DOUBLE, r->mine, "native",
                               MPI_INFO_NULL);
  }
}

static long next_row__pre(struct run *r, long i) {
  switch (r->o.pattern) {
  case PB_SEQUENTIAL:
    return (r->o.n * r->rank / r->ranks + i) % r->o.n;
  case PB_STRIDED:
    return r->rank + i % (r->o.n / r->ranks) * r->ranks;
  case PB_WRITES: /* rows that no other rank touches */
    return r->rank + pb_draw(&r->drawn, r->o.n / r->ranks) * r->ranks;
  default:
    return pb_draw(&r->drawn, r->o.n);
  }
}

static void read_row__pre(struct run *r, long number) {
  MPI_Offset offset = pb_row_offset(r->o.n, number);
  int n = (int)r->o.n;
  if (r->o.pattern == PB_STRIDED) {
    if (number == r->rank)
      MPI_File_prefetch_seek(r->fh, 0, MPI_SEEK_SET);
    if (r->o.collective) {
      forerun_pre_at(2);
      MPI_File_prefetch_all(r->fh, n, MPI_DOUBLE);
    } else {
      forerun_pre_at(3);
      MPI_File_prefetch(r->fh, n, MPI_DOUBLE);
    }
  } else if (r->o.collective) {
    if (forerun_pre_at(4))
      MPI_File_prefetch_at_all(r->fh, offset, n, MPI_DOUBLE);
  } else {
    if (forerun_pre_at(5))
      MPI_File_prefetch_at(r->fh, offset, n, MPI_DOUBLE);
  }
}

static void write_row__pre(struct run *r, long number) {
  if (!r->o.no_io) {
    if (forerun_pre_at(6))
      MPI_File_prefetch_write_at(r->fh, pb_row_offset(r->o.n, number), (int)r->o.n, MPI_DOUBLE);
  }
}

static void visit_rows__pre(struct run *r) {
  for (long i = 0; i < r->o.rows; i++) {
    long number = next_row__pre(r, i);
    if (r->o.no_io)
      ;
    else
      read_row__pre(r, number);
    if (r->o.pattern == PB_WRITES && i % 4 == 3) {
      number = next_row__pre(r, i);
      write_row__pre(r, number);
    }
  }
}

static void follow_rows__pre(struct run *r) {
  long number = next_row__pre(r, 0);
  for (long i = 0; i < r->o.rows; i++) {
    MPI_Offset offset = pb_row_offset(r->o.n, number);
    if (r->o.no_io) {
      pb_matrix_row(r->row, r->o.n, number);
    } else {
      size_t got;
      forerun_pre_at(7);
      MPI_File_prefetch_read_at(r->fh, offset, r->row, (int)r->o.n, MPI_DOUBLE, &got);
      if (got < (size_t)r->o.n * sizeof(double))
        return;
    }
    number = (long)(r->row[i % r->o.n] * (double)r->o.n);
  }
}

static void run__pre(struct run *r) {
  if (!r->o.no_io)
    open_file__pre(r);
  if (r->o.pattern == PB_DEPENDENT)
    follow_rows__pre(r);
  else
    visit_rows__pre(r);
  if (!r->o.no_io)
    forerun_pre_sync(8);
}

static void prepare__pre(struct run *r) {
  r->row = forerun_pre_malloc((size_t)r->o.n * sizeof(double));
  r->drawn = r->o.seed + (unsigned)r->rank;
}

static void main__pre(void *argument) {
  struct run *r = argument;
  prepare__pre(r);
  run__pre(r);
}
