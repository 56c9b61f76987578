/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a cache of blocks in the program. The search for a block returns from the middle of its
 * loop, which reads nothing; what it finds decides whether a block is read at all. The slicer must
 * keep that exit: without it each block would be announced again. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 64, kBlocks = 96, kSlots = 8, kSteps = 400 };

static int tags[kSlots], next;
static double slots[kSlots][kLength];

static const double *block(MPI_File file, int number) {
  for (int i = 0; i < kSlots; i++)
    if (tags[i] == number + 1)
      return slots[i];
  int slot = next++ % kSlots;
  tags[slot] = number + 1;
  MPI_File_read_at(file, (MPI_Offset)number * kLength * (MPI_Offset)sizeof(double), slots[slot],
                   kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  usleep(500);
  return slots[slot];
}

static void make(int rank) {
  if (rank == 0) {
    FILE *made = fopen("block-cache.dat", "wb");
    for (int i = 0; i < kBlocks * kLength; i++) {
      double value = i % 101;
      fwrite(&value, sizeof value, 1, made);
    }
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  double sum = 0, total;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make(rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "block-cache.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < kSteps; step++)
    sum += block(file, (step / 3 + step * 5 % 7 + rank) % kBlocks)[step % kLength] * (step % 5);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("block-cache %.3f\n", total);
  MPI_Finalize();
  return 0;
}
