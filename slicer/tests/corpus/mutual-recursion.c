/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: two functions that call each other, only one of which reads.
 * The slicer must clone both: the one that does not read decides what the other reads. */
#include <mpi.h>
#include <stdio.h>

enum { kLine = 60, kLines = 64 };

static long odd(MPI_File file, int line, int depth);

static long even(MPI_File file, int line, int depth) {
  unsigned char text[kLine];
  long sum = 0;
  MPI_File_read_at(file, (MPI_Offset)line * kLine, text, kLine, MPI_BYTE, MPI_STATUS_IGNORE);
  for (int i = 0; i < kLine; i++)
    sum += text[i] * (depth + 1);
  return depth == 0 ? sum : sum + odd(file, (line + 13) % kLines, depth - 1);
}

static long odd(MPI_File file, int line, int depth) {
  if (depth <= 0)
    return 1;
  if (line % 3 == 0)
    return odd(file, line / 3 + 1, depth - 1);
  return even(file, line * 2 % kLines, depth - 1) + even(file, line, depth / 2) % 7;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "mutual-recursion.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int l = 0; rank == 0 && l < kLines; l++) {
    unsigned char text[kLine];
    for (int i = 0; i < kLine; i++)
      text[i] = (unsigned char)(l * i);
    MPI_File_write_at(file, (MPI_Offset)l * kLine, text, kLine, MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "mutual-recursion.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = even(file, rank, 9), total = 0;
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("mutual-recursion %ld\n", total);
  MPI_Finalize();
  return 0;
}
