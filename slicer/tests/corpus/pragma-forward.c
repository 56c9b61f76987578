/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: #pragma forerun forward. The order of the blocks comes out of a long computation, which
 * the pre-execution thread does not repeat: it receives the seed, a local variable, and the table,
 * a global array. */
#include <mpi.h>
#include <stdio.h>

enum { BLOCKS = 40, VALUES = 64 };

static int order[BLOCKS];

static unsigned search(unsigned from) {
  unsigned found = from;
  for (int i = 0; i < 200000; i++)
    found = found * 1664525u + 1013904223u;
  return found >> 8;
}

static void shuffle(unsigned seed) {
  for (int i = 0; i < BLOCKS; i++)
    order[i] = i;
  for (int i = BLOCKS - 1; i > 0; i--) {
    seed = search(seed);
    int other = (int)(seed % (unsigned)(i + 1)), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  MPI_File file;
  int values[VALUES];
  MPI_File_open(MPI_COMM_WORLD, "pragma-forward.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  for (int b = rank; b < BLOCKS; b += ranks) {
    for (int i = 0; i < VALUES; i++)
      values[i] = b * i % 31;
    MPI_File_write_at(file, (MPI_Offset)b * (MPI_Offset)sizeof values, values, VALUES, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

#pragma forerun forward(seed)
  unsigned seed = search(7u + (unsigned)argc);
#pragma forerun forward(order)
  shuffle(seed);
  long sum = 0, total = 0;
  for (int step = 0; step < BLOCKS / 2; step++) {
    int block = order[(step * ranks + rank + (int)(seed % BLOCKS)) % BLOCKS];
    MPI_File_read_at(file, (MPI_Offset)block * (MPI_Offset)sizeof values, values, VALUES, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < VALUES; i++)
      sum += values[i] * (step + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pragma-forward %ld\n", total);
  MPI_Finalize();
  return 0;
}
