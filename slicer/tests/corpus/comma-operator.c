/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: comma expressions in a for, in a condition and as a statement.
 * The slicer must not leave out one side of a comma that moves the offset. */
#include <mpi.h>
#include <stdio.h>

enum { kRow = 48 };

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  short row[kRow];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "comma-operator.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  for (int r = rank; r < 32; r += ranks) {
    for (int i = 0; i < kRow; i++)
      row[i] = (short)(r * 10 + i);
    MPI_File_write_at(file, r * (MPI_Offset)sizeof row, row, kRow, MPI_SHORT, MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  long sum = 0, steps = 0;
  MPI_Offset offset, step;
  int left;
  for (offset = rank, step = 1, left = 20; left > 0; left--, step = (step * 2) % 7 + 1) {
    steps++, offset += step;
    if (offset %= 32, offset == 5)
      continue;
    MPI_File_read_at(file, (left--, left++, offset * (MPI_Offset)sizeof row), row, kRow, MPI_SHORT,
                     MPI_STATUS_IGNORE),
        sum += row[0];
    for (int i = 1; i < kRow; i++)
      sum += row[i] * i;
  }
  MPI_File_close(&file);

  long total = 0;
  sum += steps;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("comma-operator %ld\n", total);
  return MPI_Finalize(), 0;
}
