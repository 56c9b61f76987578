/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what only GCC compiles: nested functions, arrays in structures whose size is computed, its
 * types and headers. A function that Clang cannot read is left out, and what it gives is handed
 * over. */
#include <mpi.h>
#include <omp.h>
#include <quadmath.h>
#include <stdio.h>

enum { kBlock = 32, kBlocks = 40 };

static _Float128 scale = 1.5Q;

static int nested(int n) {
  int half(int k) { return (k + n) / 2; }
  return half(3) + half(n);
}

static int computed(int n) {
  struct {
    char bytes[n];
    int last;
  } both;
  both.last = n % 5;
  return both.last;
}

static MPI_Offset offsetOf(int block) {
  return (MPI_Offset)block * kBlock * (MPI_Offset)sizeof(int);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kBlock];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "only-gcc.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kBlock; i++)
      values[i] = b * 3 + i % 7;
    MPI_File_write_at(file, offsetOf(b), values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "only-gcc.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  const int first = nested(6) % 4 + computed(8) + omp_in_parallel();
  __float128 weight = scale;
  long sum = 0, total = 0;
  for (int i = first; i < kBlocks; i++) {
    MPI_File_read_at(file, offsetOf(i), values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < kBlock; k++)
      sum += values[k] + (long)weight;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("only-gcc %ld\n", total);
  MPI_Finalize();
  return 0;
}
