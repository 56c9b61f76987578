/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what macros make a string of stays as it is. A macro that expands the call before it makes
 * a string of it (TEXT) shows every edit, so the calls that are given to it are left out; one that
 * takes it as it is written shows none where the call comes from another macro. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kLength = 30, kBlocks = 60 };

#define TEXT_(...) #__VA_ARGS__
#define TEXT(...) TEXT_(__VA_ARGS__)
#define CHECK(call)                                                                                \
  do {                                                                                             \
    sizes += sizeof TEXT(call);                                                                    \
    told = (call) == MPI_SUCCESS ? TEXT(call) : "failed";                                          \
  } while (0)
#define TRY(function, ...) (told = #function, function(__VA_ARGS__))

static unsigned long sizes;
static int counted;
static const char *told = "";

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "macro-shows-calls.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 3 + i;
    MPI_File_write_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_sync(file);
  long sum = 0, total = 0;
  CHECK(MPI_File_read_at(file, 0, values, kLength, MPI_INT, MPI_STATUS_IGNORE));
  sum += values[1];
  if (rank == 0)
    printf("%s\n", told);
#define MPI_File_read_at(...) (counted++, (MPI_File_read_at)(__VA_ARGS__))
  for (int b = 0; b < kBlocks; b++) {
    TRY(MPI_File_read_at, file, (b * 7 + rank) % kBlocks * (MPI_Offset)sizeof values, values,
        kLength, MPI_INT, MPI_STATUS_IGNORE);
    sum += values[b % kLength] + (long)strlen(told);
  }
#undef MPI_File_read_at
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("macro-shows-calls %ld, %lu, %d counted\n", total, sizes, counted);
  MPI_Finalize();
  return 0;
}
