/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what POSIX's read and pread bring, into structures and arrays of numbers, decides where to
 * read: they count bytes, whatever they read into. The pre-execution thread is given just these.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

enum { kLength = 256, kBlocks = 64 };

struct header {
  long blocks;
  double version;
};

static void check(int isFine, const char *what) {
  if (!isFine) {
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void make(void) {
  struct header head = {kBlocks, 1.5};
  long order[kBlocks];
  double values[kLength];
  FILE *index = fopen("posix-index.idx", "w");
  check(index != NULL, "fopen");
  for (long b = 0; b < kBlocks; b++)
    order[b] = b * 37 % kBlocks;
  fwrite(&head, sizeof head, 1, index);
  fwrite(order, sizeof *order, kBlocks, index);
  fclose(index);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, "posix-index.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b + 0.001 * i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, index;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    make();
  MPI_Barrier(MPI_COMM_WORLD);

  struct header head;
  unsigned long seed;
  long last;
  double values[kLength], sum = 0, all = 0;
  index = open("posix-index.idx", O_RDONLY);
  check(index >= 0, "open");
  check(read(index, &head, sizeof head) == (ssize_t)sizeof head, "header");
  long *order = malloc((size_t)head.blocks * sizeof *order);
  check(read(index, order, (size_t)head.blocks * sizeof *order) > 0, "index");
  check(getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed, "getrandom");

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "posix-index.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (long b = 0; b < head.blocks; b++) {
    MPI_File_read_at(file, order[b] * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    sum += values[b % kLength];
    if (b % 8 == 0) { /* again, where the index says it, and anywhere */
      off_t at = (off_t)(sizeof head + (size_t)(head.blocks - 1 - b) * sizeof last);
      check(pread(index, &last, sizeof last, at) == (ssize_t)sizeof last, "pread");
      MPI_File_read_at(file, last * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                       MPI_STATUS_IGNORE);
      sum += values[0];
      MPI_Offset any = (MPI_Offset)((seed >> b / 8) % kBlocks);
      MPI_File_read_at(file, any * (MPI_Offset)sizeof values, values, 1, MPI_DOUBLE,
                       MPI_STATUS_IGNORE);
      check(values[0] == (double)any, "block");
    }
  }
  MPI_File_close(&file);
  close(index);
  free(order);

  MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("posix-index %.3f\n", all);
    remove("posix-index.idx");
    MPI_File_delete("posix-index.dat", MPI_INFO_NULL);
  }
  MPI_Finalize();
  return 0;
}
