/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a queue of offsets that memmove shifts within one array.
 * The slicer must see that memmove's source and target overlap. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kQueue = 12, kLength = 26, kBlocks = 50 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength], queue[kQueue], queued = kQueue;
  long results[kQueue] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "memmove-overlap.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 7 + i) % 61;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  for (int i = 0; i < kQueue; i++)
    queue[i] = (i * 8 + rank) % kBlocks;
  MPI_File_open(MPI_COMM_WORLD, "memmove-overlap.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int step = 0; queued > 0; step++) {
    int block = queue[0];
    queued--;
    memmove(queue, queue + 1, (size_t)queued * sizeof *queue);
    memmove(results + 1, results, (kQueue - 1) * sizeof *results);
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      results[0] += values[i] * step;
    if (step % 3 == 0 && step < 15)
      queue[queued++] = (block + 5) % kBlocks;
  }
  MPI_File_close(&file);

  long sum = 0, total = 0;
  for (int i = 0; i < kQueue; i++)
    sum += results[i] * (i + 1);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("memmove-overlap %ld\n", total);
  MPI_Finalize();
  return 0;
}
