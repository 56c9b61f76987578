/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: compound literals as arguments, by value and by address.
 * The slicer must see what a callee stores through the address of a compound literal. */
#include <mpi.h>
#include <stdio.h>

struct Range {
  MPI_Offset first;
  int length;
};

static struct Range shifted(struct Range range, const int *by) {
  return (struct Range){range.first + by[0] + by[1], range.length};
}

static MPI_Offset advance(struct Range *range) { return range->first += range->length; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char *path = "compound-literal.dat";
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (rank == 0)
    for (int i = 0; i < 600; i++)
      MPI_File_write_at(file, i * 4, &(int){i * 11 % 97}, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);

  long sum = 0, total = 0;
  struct Range *walk = &(struct Range){.first = rank * 16, .length = 24};
  for (int i = 0; i < 40; i++) {
    int bytes[12];
    struct Range range = shifted((struct Range){advance(walk), 48}, (int[]){i * 4, 8});
    MPI_File_read_at(file, range.first, bytes, range.length / 4, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 12; k++)
      sum += bytes[k] * (k + i);
  }
  MPI_File_close(&file);

  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("compound-literal %ld\n", total);
  MPI_Finalize();
  return 0;
}
