/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a program whose own names and macros are those of libc, of MPI's bindings and of what the
 * slicer inserts. Its text has to be compiled apart from them. */
#include <mpi.h>

#define site 3
#define count 100
#define bytes 5
#define data 6
#define size 7
#define seed 8
#define block 9
#define rc 10
#define buffer 11
#define whence 12
#define heap 14
#define stack 15
#define to 16
#define from 17
#pragma GCC poison malloc free scanf sprintf size_t
#define volatile
#define restrict
#define register
#define inline
#define sizeof(type) ((int)sizeof(type))
#define short long

struct option {
  int length, stride;
};
typedef struct FILE {
  int place;
} FILE;
enum { kLength = 24, kBlocks = 30 };

int printf(const char *, ...);
void *calloc(unsigned long, unsigned long);
long getline(long line, long of);
int remove(int what);

int main__pre = 2;
static int forerun_value = 5;
static unsigned int fork__pre(unsigned int i) { return i * 3 + 1; }
static unsigned int fork_(unsigned int i) {
  static unsigned int s;
  s += i;
  return s % 4 + fork__pre(i);
}
long getline(long line, long of) { return (line * 7 + of) % kBlocks; }
int remove(int what) { return what + 1; }

static MPI_Offset place(struct option how, long at) {
  return (MPI_Offset)(how.stride * at) * sizeof(int);
}

int main(int environ, char **optarg) {
  int rank, values[kLength], agreed = 0;
  struct option how = {kLength, kLength};
  FILE own = {1};
  MPI_File optind;
  MPI_Init(&environ, &optarg);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "own-names.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &optind);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < how.length; i++)
      values[i] = b * count + i % size;
    MPI_File_write_at(optind, place(how, b), values, how.length, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&optind);

  MPI_File_open(MPI_COMM_WORLD, "own-names.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &optind);
  MPI_Allreduce(&forerun_value, &agreed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  long *order = calloc(kBlocks, 8);
  short sum = 0, total = 0;
  for (int i = 0; i < kBlocks; i++)
    order[i] = getline(i, (long)fork_((unsigned int)i) + remove(own.place) + main__pre);
  for (int i = agreed - forerun_value; i < kBlocks; i++) {
    MPI_File_read_at(optind, place(how, order[i]), values, how.length, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < how.length; k++)
      sum += values[k] * (k % 3) + block;
  }
  MPI_File_close(&optind);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("own-names %ld\n", total);
  MPI_Finalize();
  return 0;
}
