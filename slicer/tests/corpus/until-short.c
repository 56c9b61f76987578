/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a loop that reads until a read comes short, of a file that is open read-only, which only the
 * program can end: how much has been read shows in what has been read. The slicer must announce all of
 * the file, and nothing beyond its end. */
#include <mpi.h>
#include <stdio.h>

enum { kPart = 1000, kNumbers = 200500 };

static int numbers[kNumbers], part[kPart];

static long sumOf(const int *all, int count) {
  long sum = 0;
  for (int k = 1; k < 400; k++)
    for (int i = 0; i < count; i++)
      sum += (long)all[i] * (i + k) % 1013;
  return sum;
}

/* Reads at the file pointer, over numbers that are in no file. */
static long untilNoneIsLeft(MPI_File file) {
  long sum = 0;
  int count;
  do {
    for (int i = 0; i < kPart; i++)
      part[i] = -1;
    MPI_File_read(file, part, kPart, MPI_INT, MPI_STATUS_IGNORE);
    for (count = 0; count < kPart && part[count] >= 0; count++)
      ;
    sum += sumOf(part, count);
  } while (count == kPart);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "until-short.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int i = 0; i < kNumbers; i++)
    numbers[i] = i * 7 % 4099;
  if (rank == 0)
    MPI_File_write(file, numbers, kNumbers, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  long sum = 0, total = 0;
  MPI_File_open(MPI_COMM_WORLD, "until-short.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  sum += untilNoneIsLeft(file);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("until-short %ld\n", total);
  MPI_Finalize();
  return 0;
}
