/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a library that knows of a file only what MPI says of it asks for the view at each read:
 * where it begins, how large its etype is, how far its filetype reaches. The datatypes that MPI gives
 * are duplicates, which the library frees. The pre-execution thread has the same view, and must not
 * wait for the main thread. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kLength = 1024, kBlocks = 60 };

static int block[kLength];

static long sumOf(const int *all) {
  long sum = 0;
  for (int k = 1; k < 1000; k++)
    for (int i = 0; i < kLength; i++)
      sum += (long)all[i] * (i + k) % 1013;
  return sum;
}

static void letGo(MPI_Datatype *type) {
  int integers, addresses, types, combiner;
  MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
  if (combiner != MPI_COMBINER_NAMED)
    MPI_Type_free(type);
}

/* Reads block `number` of those that the view shows, or the one beside it through `plain`, which has no
 * view. */
static void readBlock(MPI_File file, MPI_File plain, int number) {
  MPI_Offset from;
  MPI_Datatype etype, filetype;
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_Aint lower, extent;
  int bytes;
  MPI_File_get_view(file, &from, &etype, &filetype, representation);
  if (strcmp(representation, "native") != 0)
    MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Type_size(etype, &bytes);
  MPI_Type_get_extent(filetype, &lower, &extent);
  const int count = kLength * (int)sizeof(int) / bytes;
  if (number % 2 == 0)
    MPI_File_read_at(file, number * (MPI_Offset)count, block, count, etype, MPI_STATUS_IGNORE);
  else
    MPI_File_read_at(plain, number * (MPI_Offset)extent + (from + (MPI_Offset)extent / 2) % extent,
                     block, count, etype, MPI_STATUS_IGNORE);
  letGo(&etype);
  letGo(&filetype);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "view-asked.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int b = 0; rank == 0 && b < 2 * kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      block[i] = (b * 31 + i) % 4099;
    MPI_File_write(file, block, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File view, plain;
  MPI_File_open(MPI_COMM_WORLD, "view-asked.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &view);
  MPI_File_open(MPI_COMM_WORLD, "view-asked.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &plain);
  MPI_Datatype cell, cells, everyOther;
  MPI_Type_contiguous(8, MPI_INT, &cell);
  MPI_Type_commit(&cell);
  MPI_Type_contiguous(kLength / 8, cell, &cells);
  MPI_Type_create_resized(cells, 0, 2 * (MPI_Aint)sizeof block, &everyOther);
  MPI_Type_commit(&everyOther);
  MPI_File_set_view(view, rank % 2 * (MPI_Offset)sizeof block, cell, everyOther, "native",
                    MPI_INFO_NULL);
  MPI_Type_free(&cell);
  MPI_Type_free(&cells);
  MPI_Type_free(&everyOther);
  long sum = 0, total = 0;
  for (int b = 0; b < kBlocks; b++) {
    readBlock(view, plain, b);
    sum += sumOf(block);
  }
  MPI_File_close(&view);
  MPI_File_close(&plain);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("view-asked %ld\n", total);
  MPI_Finalize();
  return 0;
}
