/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the neighbour of each block that a view shows is read where MPI says that the block lies. The
 * pre-execution thread has the same view, and must not wait for the main thread at each block. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 1024, kBlocks = 60 };

static int block[kLength];

static long sumOf(const int *all) {
  long sum = 0;
  for (int k = 1; k < 1000; k++)
    for (int i = 0; i < kLength; i++)
      sum += (long)all[i] * (i + k) % 1013;
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "byte-offset.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < 2 * kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      block[i] = (b * 31 + i) % 4099;
    MPI_File_write(file, block, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File view, plain;
  MPI_File_open(MPI_COMM_WORLD, "byte-offset.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &view);
  MPI_File_open(MPI_COMM_WORLD, "byte-offset.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &plain);
  MPI_Datatype two, everyOther;
  MPI_Type_vector(2, kLength, 2 * kLength, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, 4 * (MPI_Aint)sizeof block, &everyOther);
  MPI_Type_commit(&everyOther);
  MPI_File_set_view(view, rank % 2 * (MPI_Offset)sizeof block, MPI_INT, everyOther, "native",
                    MPI_INFO_NULL);
  long sum = 0, total = 0;
  MPI_Offset at = 0;
  for (int b = 0; b < kBlocks; b++) {
    MPI_Offset byte;
    MPI_File_get_byte_offset(view, at, &byte);
    MPI_File_read_at(view, at, block, kLength, MPI_INT, MPI_STATUS_IGNORE);
    sum += sumOf(block);
    MPI_File_read_at(plain,
                     (byte + (MPI_Offset)sizeof block) % (2 * kBlocks * (MPI_Offset)sizeof block),
                     block, kLength, MPI_INT, MPI_STATUS_IGNORE);
    sum += sumOf(block) * 3;
    at += kLength;
  }
  MPI_File_close(&view);
  MPI_File_close(&plain);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("byte-offset %ld\n", total);
  MPI_Finalize();
  return 0;
}
