/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: _Alignas, _Atomic, _Generic, __builtin_choose_expr, _Static_assert, restrict, volatile,
 * thread-local, attributes. The slicer must write these declarations out again as they were, and
 * declare what is named only where C chooses by a type or a constant. */
#include <mpi.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { kLength = 32, kBlocks = 26 };

struct Block {
  _Alignas(64) int values[kLength];
  char tag __attribute__((aligned(8)));
};

static _Atomic int ticket;
static _Thread_local int lane = 2;
static volatile int scale = 1;

_Static_assert(sizeof(struct Block) % 64 == 0, "blocks lie on cache lines");

#define SIZE_OF(x) _Generic((x), int *: sizeof(int), double *: sizeof(double))

static int __attribute__((noinline)) take(void) { return atomic_fetch_add(&ticket, 1) + lane; }

static long weigh(const int *restrict values, const int *restrict weights) {
  long sum = 0;
  for (int i = 0; i < kLength; i++)
    sum += values[i] * weights[i % 4];
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  alignas(128) struct Block block = {{0}, 'x'};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "alignas-atomic.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      block.values[i] = b + i * scale;
    MPI_File_write(file, block.values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  static const int weights[4] = {3, -1, 2, 0};
  MPI_File_open(MPI_COMM_WORLD, "alignas-atomic.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  register long sum = 0;
  lane += rank;
  const long named = sum + 1, unchosen = sum + 2, untold = sum + 3;
  const int step = _Generic((rank > 1 ? named : 2), long: lane > 0 ? 1 : 2, int: (int)unchosen);
  const int fixed = __builtin_choose_expr(sizeof(int) == 4, step, (int)untold);
  for (int i = 0; i < 30; i++) {
    MPI_Offset offset = take() * fixed % kBlocks * kLength * (MPI_Offset)SIZE_OF(block.values);
    MPI_File_read_at(file, offset, block.values, kLength, MPI_INT, MPI_STATUS_IGNORE);
    sum += weigh(block.values, weights) + ((uintptr_t)&block % 128 != 0);
  }
  MPI_File_close(&file);
  long mine = sum + block.tag, total = 0;
  MPI_Reduce(&mine, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("alignas-atomic %ld\n", total);
  MPI_Finalize();
  return 0;
}
