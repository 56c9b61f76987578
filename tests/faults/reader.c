/* SPDX-License-Identifier: Apache-2.0 */
/* reader PATH ROWS ROW_BYTES FATE: reads rows at random and prints the result, one line per rank. A
 * pre-execution thread runs ahead and meets its FATE midway: none, segv, fpe, abort, exit or loop.
 * The output must depend on the file alone. */

#include <forerun/prefetch.h>
#include <forerun/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { SITE_OPEN, SITE_READ, SITES };

struct job {
  int rows, row_bytes, rank;
  char fate[16];
};

static void meet(const char *fate) {
  volatile int *volatile nowhere = NULL;
  volatile int one = 1, zero = 0;
  if (strcmp(fate, "segv") == 0)
    *nowhere = 1;
  else if (strcmp(fate, "fpe") == 0)
    zero = one / zero;
  else if (strcmp(fate, "abort") == 0)
    abort();
  else if (strcmp(fate, "exit") == 0)
    exit(3);
  else if (strcmp(fate, "loop") == 0)
    while (zero == 0)
      ;
}

static void pre(void *argument) {
  const struct job *job = argument;
  MPI_File file = forerun_pre_open(SITE_OPEN);
  forerun_pre_srand(job->rank + 1);
  for (int i = 0; i < job->rows; ++i) {
    MPI_Offset row = forerun_pre_rand() % job->rows;
    if (forerun_pre_at(SITE_READ))
      MPI_File_prefetch_at(file, row * job->row_bytes, job->row_bytes, MPI_BYTE);
    if (i == job->rows / 2)
      meet(job->fate);
  }
}

static uint64_t digest(uint64_t sum, const unsigned char *bytes, int count) {
  for (int i = 0; i < count; ++i)
    sum = (sum ^ bytes[i]) * 1099511628211u;
  return sum;
}

int main(int argc, char **argv) {
  struct job job = {0};
  int ranks, errors = 0, class = 0;
  uint64_t sum = 14695981039346656037u;
  unsigned char *row;
  MPI_File file;

  forerun_main_MPI_Init(&argc, &argv);
  if (argc != 5) {
    fprintf(stderr, "usage: reader PATH ROWS ROW_BYTES none|segv|fpe|abort|exit|loop\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  job.rows = atoi(argv[2]);
  job.row_bytes = atoi(argv[3]);
  snprintf(job.fate, sizeof(job.fate), "%s", argv[4]);
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  row = malloc(job.row_bytes);

  forerun_main_launch(pre, &job, sizeof(job), SITES);
  forerun_main_done(SITE_OPEN,
                    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  srand(job.rank + 1);
  for (int i = 0; i < job.rows; ++i) {
    MPI_Status status;
    int count = 0;
    MPI_Offset offset = (MPI_Offset)(rand() % job.rows) * job.row_bytes;
    int rc = forerun_main_done(
        SITE_READ, MPI_File_read_at(file, offset, row, job.row_bytes, MPI_BYTE, &status));
    if (rc == MPI_SUCCESS) {
      MPI_Get_count(&status, MPI_BYTE, &count);
      sum = digest(sum, row, count);
    } else {
      ++errors;
      MPI_Error_class(rc, &class);
    }
  }
  MPI_File_close(&file);

  for (int rank = 0; rank < ranks; ++rank) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == job.rank) {
      printf("rank %d: %d reads, %d errors, last of class %d, digest %016llx\n", rank, job.rows,
             errors, class, (unsigned long long)sum);
      fflush(stdout);
    }
  }
  free(row);
  MPI_Finalize();

  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  fprintf(stderr, "peak_kib %ld\n", used.ru_maxrss);
  return 0;
}
