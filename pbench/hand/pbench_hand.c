/* SPDX-License-Identifier: Apache-2.0 */
/* What a user would do by hand to hide the latency of PBench's random reads; same rows, same
 * compute, same checksum as pbench. The first argument selects one of three ways:
 *   iread    double buffering: MPI_File_iread_at of the next row while computing on this one
 *   fadvise  posix_fadvise(WILLNEED) some rows ahead, on the file opened a second time
 *   hints    plain reads with ROMIO's hints tuned for small independent reads */
#include "compute.h"
#include "draw.h"
#include "matrix.h"
#include "options.h"
#include "timing.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum method { BY_IREAD, BY_FADVISE, BY_HINTS };

/* Rows advised ahead of the one being read: as many requests as keep the storage busy. */
enum { kAdvisedRows = 64 };

struct run {
  struct pb_options o;
  int rank, ranks;
  MPI_File fh;
  long *numbers;   /* the row of each round */
  double *rows[2]; /* buffers */
  struct pb_times times;
  double checksum;
};

static void must(int rc, const char *what) {
  if (rc == MPI_SUCCESS)
    return;
  fprintf(stderr, "pbench-hand: %s failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void use_row(struct run *r, const double *row, double started) {
  double fetched = MPI_Wtime();
  r->times.read += fetched - started;
  r->times.bytes += (double)r->o.n * sizeof(double);
  r->checksum = pb_compute(r->checksum, row, r->o.n, r->o.compute);
  r->times.compute += MPI_Wtime() - fetched;
}

static void start_read(struct run *r, long i, MPI_Request *request) {
  if (i < r->o.rows)
    must(MPI_File_iread_at(r->fh, pb_row_offset(r->o.n, r->numbers[i]), r->rows[i % 2], (int)r->o.n,
                           MPI_DOUBLE, request),
         "iread_at");
}

static void read_double_buffered(struct run *r) {
  MPI_Request request;
  start_read(r, 0, &request);
  for (long i = 0; i < r->o.rows; i++) {
    double started = MPI_Wtime();
    must(MPI_Wait(&request, MPI_STATUS_IGNORE), "read");
    start_read(r, i + 1, &request);
    use_row(r, r->rows[i % 2], started);
  }
}

static void advise(const struct run *r, int fd, long i) {
  long bytes = r->o.n * (long)sizeof(double);
  if (i < r->o.rows)
    posix_fadvise(fd, pb_row_offset(r->o.n, r->numbers[i]), bytes, POSIX_FADV_WILLNEED);
}

/* fd < 0: no advice. */
static void read_advised(struct run *r, int fd) {
  for (long i = 0; fd >= 0 && i < kAdvisedRows; i++)
    advise(r, fd, i);
  for (long i = 0; i < r->o.rows; i++) {
    double started = MPI_Wtime();
    if (fd >= 0)
      advise(r, fd, i + kAdvisedRows);
    must(MPI_File_read_at(r->fh, pb_row_offset(r->o.n, r->numbers[i]), r->rows[0], (int)r->o.n,
                          MPI_DOUBLE, MPI_STATUS_IGNORE),
         "read_at");
    use_row(r, r->rows[0], started);
  }
}

static MPI_Info tuned_hints(void) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "romio_ds_read", "disable");
  MPI_Info_set(info, "romio_cb_read", "disable");
  MPI_Info_set(info, "romio_no_indep_rw", "false");
  MPI_Info_set(info, "access_style", "read_once,random");
  return info;
}

static void run(struct run *r, enum method method) {
  MPI_Info info = method == BY_HINTS ? tuned_hints() : MPI_INFO_NULL;
  pb_barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  must(MPI_File_open(MPI_COMM_WORLD, r->o.file, MPI_MODE_RDONLY, info, &r->fh), "open");
  int fd = method == BY_FADVISE ? open(r->o.file, O_RDONLY) : -1;
  double opened = MPI_Wtime();
  r->times.open = opened - begin;
  if (method == BY_IREAD)
    read_double_buffered(r);
  else
    read_advised(r, fd);
  r->times.total = MPI_Wtime() - opened;
  pb_barrier(MPI_COMM_WORLD);
  must(MPI_File_close(&r->fh), "close");
  if (fd >= 0)
    close(fd);
  if (info != MPI_INFO_NULL)
    MPI_Info_free(&info);
}

static int parse_method(const char *name, enum method *method) {
  static const char *const names[] = {"iread", "fadvise", "hints"};
  for (int i = 0; name && i < 3; i++)
    if (!strcmp(name, names[i])) {
      *method = (enum method)i;
      return 1;
    }
  return 0;
}

int main(int argc, char **argv) {
  static struct run r;
  char complaint[4200] = "the first argument is iread, fadvise or hints";
  enum method method;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &r.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &r.ranks);
  int fine = parse_method(argv[1], &method) &&
             pb_options_parse(&r.o, argc - 1, argv + 1, complaint, sizeof complaint) == PB_RUN;
  if (argv[1] && !strcmp(argv[1], "--version")) {
    if (r.rank == 0)
      fputs(pb_version, stdout);
    MPI_Finalize();
    return 0;
  }
  if (!fine || r.o.pattern != PB_RANDOM || !r.o.file[0]) {
    if (r.rank == 0)
      fprintf(stderr, "pbench-hand: %s (options as pbench's, pattern random)\n", complaint);
    MPI_Finalize();
    return 2;
  }
  r.numbers = malloc((size_t)(r.o.rows + 1) * sizeof(long));
  for (int i = 0; i < 2; i++)
    r.rows[i] = malloc((size_t)r.o.n * sizeof(double));
  if (!r.numbers || !r.rows[0] || !r.rows[1]) {
    fprintf(stderr, "pbench-hand: no memory for the rows\n");
    return MPI_Abort(MPI_COMM_WORLD, 1);
  }
  unsigned long long drawn = r.o.seed + (unsigned)r.rank;
  for (long i = 0; i < r.o.rows; i++)
    r.numbers[i] = pb_draw(&drawn, r.o.n);
  run(&r, method);
  pb_report(MPI_COMM_WORLD, &r.o, &r.times, r.checksum);
  MPI_Finalize();
  return 0;
}
