/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the order of reads depends on the clock and on the process number.
 * The slicer must not guess: it forwards the value, or prefetches in an order that is not the
 * program's. All blocks are read, so that the sum is always the same. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { kLength = 32, kBlocks = 29 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("time-seeded.dat", "wb");
    for (int i = 0; i < kLength * kBlocks; i++)
      fwrite(&i, sizeof i, 1, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  srand((unsigned)(time(NULL) ^ (getpid() << 8)) + (unsigned)(MPI_Wtime() * 1e6));
  int order[kBlocks];
  for (int i = 0; i < kBlocks; i++)
    order[i] = i;
  for (int i = kBlocks - 1; i > 0; i--) {
    int other = rand() % (i + 1), block = order[i];
    order[i] = order[other];
    order[other] = block;
  }
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "time-seeded.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < kBlocks; i++) {
    MPI_File_read_at(file, order[i] * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] % (k + 3);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("time-seeded %ld\n", total);
  MPI_Finalize();
  return 0;
}
