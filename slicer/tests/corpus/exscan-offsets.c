/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: in each step every rank reads as many records as it likes, after those of the ranks
 * before it; on a communicator of its own, which is split off.
 * The slicer must have the pre-execution threads add up the counts themselves.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kMost = 9, kSteps = 100, kStepMs = 3, kRecords = 4 * kMost * kSteps };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, rank;
  long records[kMost];
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_split(MPI_COMM_WORLD, world % 2, -world, &half);
  MPI_Comm_rank(half, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "exscan-offsets.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  if (world == 0)
    for (long r = 0; r < kRecords; r++)
      MPI_File_write_at(file, r * (MPI_Offset)sizeof r, &r, 1, MPI_LONG, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "exscan-offsets.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long first = 0, sum = 0, total = 0;
  for (int step = 0; step < kSteps; step++) {
    long count = 1 + (world * 5 + step * 3) % kMost, before = 0, all = 0;
    MPI_Exscan(&count, &before, 1, MPI_LONG, MPI_SUM, half);
    if (rank == 0)
      before = 0;
    MPI_Allreduce(&count, &all, 1, MPI_LONG, MPI_SUM, half);
    MPI_File_read_at(file, (first + before) * (MPI_Offset)sizeof *records, records, (int)count,
                     MPI_LONG, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
      sum += records[i] * (i + 1);
    first += all;
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Comm_free(&half);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world == 0)
    printf("exscan-offsets %ld\n", total);
  MPI_Finalize();
  return 0;
}
