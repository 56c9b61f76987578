/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: calls in both arms of a conditional operator, one of which reads.
 * The slicer must keep the condition with the read; the other arm only computes. */
#include <mpi.h>
#include <stdio.h>

static MPI_File file;
static int cache[64], cached = -1;

static int fromFile(int block, int index) {
  MPI_File_read_at(file, (MPI_Offset)block * (MPI_Offset)sizeof cache, cache, 64, MPI_INT,
                   MPI_STATUS_IGNORE);
  cached = block;
  return cache[index];
}

static int fromCache(int index) { return cache[index]; }

static int value(int i) { return i / 64 == cached ? fromCache(i % 64) : fromFile(i / 64, i % 64); }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "ternary-call.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                &file);
  if (rank == 0)
    for (int i = 0; i < 1024; i++) {
      int number = i * i % 1009;
      MPI_File_write_at(file, i * 4, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "ternary-call.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);

  long sum = 0;
  for (int i = rank; i < 1024; i += 5)
    sum += value(i) ^ i;
  MPI_File_close(&file);

  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("ternary-call %ld\n", total);
  MPI_Finalize();
  return 0;
}
