/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a file that is deleted, written anew and read again, every call of MPI-IO inside the same
 * macro. The slicer must: know MPI_File_delete as a synchronisation point, though it takes no
 * handle. */
#include <mpi.h>
#include <stdio.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    int code = (call);                                                                             \
    if (code != MPI_SUCCESS) {                                                                     \
      fprintf(stderr, "failed: %d\n", code);                                                       \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)

enum { kRows = 24, kColumns = 512 };

static int row[kColumns];

static void fill(const char *name, int seed) {
  MPI_File file;
  CHECK(
      MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file));
  for (int r = 0; r < kRows; r++) {
    for (int i = 0; i < kColumns; i++)
      row[i] = seed * (r + 1) + i;
    CHECK(MPI_File_write_at(file, (MPI_Offset)r * kColumns * (MPI_Offset)sizeof(int), row, kColumns,
                            MPI_INT, MPI_STATUS_IGNORE));
  }
  CHECK(MPI_File_close(&file));
}

static long total(const char *name, int rank, int ranks) {
  MPI_File file;
  long sum = 0;
  CHECK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  for (int r = rank; r < kRows; r += ranks) {
    CHECK(MPI_File_read_at(file, (MPI_Offset)r * kColumns * (MPI_Offset)sizeof(int), row, kColumns,
                           MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < kColumns; i++)
      sum += row[i] % (r + 2);
  }
  CHECK(MPI_File_close(&file));
  return sum;
}

int main(int argc, char **argv) {
  static const char name[] = "delete-and-write-anew.dat";
  int rank, ranks;
  long sum = 0, whole = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 2; round++) {
    if (rank == 0) {
      if (round > 0)
        CHECK(MPI_File_delete(name, MPI_INFO_NULL));
      fill(name, 3 + round);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    sum += total(name, rank, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Reduce(&sum, &whole, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("delete-and-write-anew %ld\n", whole);
  MPI_Finalize();
  return 0;
}
