/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file that it makes: pieces of it, each of them twice, by itself, with a view, collectively
 * and as a split collective; then closes it. 32 read calls of each process, and 8 more that end one.
 * With a cache that keeps what was read, half of the reads are served from there. Prints a sum. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPieces = 4, kInts = 1024, kBytes = kInts * (int)sizeof(int) };

static long sum;

static void add(const int *values) {
  for (int i = 0; i < kInts; i++)
    sum += values[i];
}

static void make(const char *path, int rank) {
  static int values[kInts];
  MPI_File file;
  if (rank != 0)
    return;
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int piece = 0; piece < 16 * kPieces; piece++) {
    for (int i = 0; i < kInts; i++)
      values[i] = piece * i % 1000;
    MPI_File_write_at(file, (MPI_Offset)piece * kBytes, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  int rank, ranks;
  static int values[kInts];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make(argv[1], rank);
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_Datatype everyOther;
  MPI_Type_vector(kInts / 64, 64, 128, MPI_INT, &everyOther);
  MPI_Type_commit(&everyOther);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int n = 0; n < 2 * kPieces; n++) {
    const MPI_Offset piece = n % kPieces * ranks + rank;
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, piece * kBytes, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
    add(values);
    MPI_File_read_at_all(file, piece * kBytes, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
    add(values);
    MPI_File_read_at_all_begin(file, piece * kBytes, values, kInts, MPI_INT);
    MPI_File_read_at_all_end(file, values, MPI_STATUS_IGNORE);
    add(values);
    MPI_File_set_view(file, piece * 2 * kBytes, MPI_INT, everyOther, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
    add(values);
  }
  MPI_File_close(&file);
  MPI_Type_free(&everyOther);

  long all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%ld\n", all);
  MPI_Finalize();
  return 0;
}
