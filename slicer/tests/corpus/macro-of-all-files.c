/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a macro by which all calls on files are made, some of them in functions that another macro defines, is edited for
 * each of its uses and not in its definition, which they have in common. */
#include <mpi.h>
#include <stdio.h>

#define ON_FILE(operation, ...) MPI_File_##operation(__VA_ARGS__)
#define DEFINE_READER(name, type, datatype)                                                        \
  static long name(MPI_File file, int block) {                                                     \
    type values[kBlock];                                                                           \
    long sum = 0;                                                                                  \
    ON_FILE(read_at, file, (MPI_Offset)block * 97, values, kBlock, datatype, MPI_STATUS_IGNORE);   \
    for (int i = 0; i < kBlock; i++)                                                               \
      sum += values[i] * (i % 5);                                                                  \
    return sum;                                                                                    \
  }

enum { kBlock = 40, kBlocks = 40, kBytes = 97 * kBlocks + 4 * kBlock };

DEFINE_READER(ofInts, int, MPI_INT)
DEFINE_READER(ofBytes, char, MPI_CHAR)

int main(int argc, char **argv) {
  static char bytes[kBytes];
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ON_FILE(open, MPI_COMM_WORLD, "macro-of-all-files.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
          MPI_INFO_NULL, &file);
  for (int i = 0; i < kBytes; i++)
    bytes[i] = (char)(i * 7);
  if (rank == 0)
    ON_FILE(write_at, file, 0, bytes, kBytes, MPI_CHAR, MPI_STATUS_IGNORE);
  ON_FILE(close, &file);
  MPI_Barrier(MPI_COMM_WORLD);

  ON_FILE(open, MPI_COMM_WORLD, "macro-of-all-files.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int block = 0; block < kBlocks; block++)
    sum += ofInts(file, block) + ofBytes(file, (block * 3 + rank) % kBlocks);
  ON_FILE(close, &file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("macro-of-all-files %ld\n", total);
  MPI_Finalize();
  return 0;
}
