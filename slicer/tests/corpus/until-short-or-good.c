/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a loop that ends when a read comes short, or when the result is good enough, which only the
 * computation knows. The slicer must announce all of the file, and nothing beyond its end; and a check
 * of it must come to an end. */
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

static long untilShortOrGood(MPI_File file) {
  long sum = 0;
  for (int step = 0;; step++) {
    MPI_Status status;
    int count = 0;
    MPI_File_read_at(file, (MPI_Offset)step * (int)sizeof part, part, kPart, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    const long here = sumOf(part, count);
    sum += here;
    if (here % 1000003 == 17 || count < kPart)
      break;
  }
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "until-short-or-good.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int i = 0; i < kNumbers; i++)
    numbers[i] = i * 7 % 4099;
  if (rank == 0)
    MPI_File_write(file, numbers, kNumbers, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  long sum = 0, total = 0;
  MPI_File_open(MPI_COMM_WORLD, "until-short-or-good.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  sum += untilShortOrGood(file);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("until-short-or-good %ld\n", total);
  MPI_Finalize();
  return 0;
}
