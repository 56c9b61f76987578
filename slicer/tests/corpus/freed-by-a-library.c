/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what a function that nothing is known of has had is handed over only as far as it is there
 * afterwards: it may have freed it, and what points to nothing may be a sign between the two. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* By these names no model knows the C library's functions. */
void giveBack(int *) __asm__("free");
int toNumber(const char *, int *) __asm__("access");
#define NOBODY ((int *)-1)

enum { kNumbers = 4000, kLarge = 40 << 20 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "freed-by-a-library.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  if (rank == 0)
    for (int i = 0; i < kNumbers; i++) {
      int next = (i * 13 + 1) % kNumbers;
      MPI_File_write_at(file, 4 * i, &next, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);

  long sum = 0;
  for (int i = 0; i < 10; i++) {
    int *index = malloc(kLarge), number = 0;
    MPI_File_read_at(file, 4 * (i + rank), index, 100, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 50; k++) {
      MPI_File_read_at(file, 4 * index[k], &number, 1, MPI_INT, MPI_STATUS_IGNORE);
      sum += number;
    }
    giveBack(index);
    int none = toNumber(".", i % 2 ? &number : NOBODY);
    MPI_File_read_at(file, 4 * (i * 9 + none), &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    sum += number;
  }
  MPI_File_close(&file);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("freed-by-a-library %ld\n", total);
  MPI_Finalize();
  return 0;
}
