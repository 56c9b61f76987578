/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: collective reads at the individual file pointer, with ranks that ask for nothing.
 * The slicer must keep the counts, of zero too, and must not communicate for them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 9, kPart = 30 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int *part = malloc(kPart * kRounds * sizeof *part);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "read-all.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int i = 0; i < kPart * kRounds; i++)
    part[i] = (rank * 100 + i) % 83;
  MPI_File_write_at_all(file, (MPI_Offset)rank * kPart * kRounds * 4, part, kPart * kRounds,
                        MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "read-all.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  MPI_File_seek(file, (MPI_Offset)(ranks - 1 - rank) * kPart * kRounds * 4, MPI_SEEK_SET);
  for (int round = 0; round < kRounds; round++) {
    int count = (round + rank) % 4 == 2 ? 0 : kPart;
    MPI_File_read_all(file, part, count, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
      sum += part[i] * (i + round);
  }
  MPI_File_close(&file);
  free(part);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-all %ld\n", total);
  MPI_Finalize();
  return 0;
}
