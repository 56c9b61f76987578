/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: in each step the ranks agree by MPI_Exscan and MPI_Allreduce where each of them reads. The
 * pre-execution threads agree among themselves, and must get ahead by that. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kRecord = 64, kMost = 5, kRecords = 4000, kSteps = 120, kStepMs = 4 };

static long values[kMost * kRecord];

int main(int argc, char **argv) {
  int rank, ranks;
  long sum = 0, total = 0;
  MPI_Offset begin = 0;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File_open(MPI_COMM_WORLD, "offsets-by-exscan.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int r = rank; r < kRecords; r += ranks) {
    for (int i = 0; i < kRecord; i++)
      values[i] = r * 3L + i;
    MPI_File_write_at(file, r * (MPI_Offset)(kRecord * sizeof(long)), values, kRecord, MPI_LONG,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "offsets-by-exscan.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < kSteps; step++) {
    int mine = 1 + (step * 7 + rank * 3) % kMost, before = 0, all = 0;
    MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
      before = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_File_read_at(file,
                     (begin + before) % (kRecords - kMost) * kRecord * (MPI_Offset)sizeof(long),
                     values, mine * kRecord, MPI_LONG, MPI_STATUS_IGNORE);
    begin += all;
    for (int i = 0; i < mine * kRecord; i++)
      sum += values[i] ^ step;
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("offsets-by-exscan %ld\n", total);
  MPI_Finalize();
  return 0;
}
