/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an MPI_Info with hints, also one that the program asks for again.
 * The slicer must not need the hints for a read, nor set them a second time. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kLength = 64, kBlocks = 20 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength], flag;
  char found[MPI_MAX_INFO_VAL + 1] = "";
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Info hints, used;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "romio_ds_read", "disable");
  MPI_Info_set(hints, "corpus_unknown", "7");
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "hints-info.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 4 + i % 8;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "hints-info.dat", MPI_MODE_RDONLY, hints, &file);
  MPI_Info_free(&hints);
  MPI_File_get_info(file, &used);
  MPI_Info_get(used, "romio_ds_read", MPI_MAX_INFO_VAL, found, &flag);
  MPI_Info_free(&used);
  int stride = flag && !strcmp(found, "disable") ? 2 : 1;
  long sum = 0, total = 0;
  for (int b = rank % 2; b < kBlocks; b += stride) {
    MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 3);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("hints-info %ld %s\n", total, found);
  MPI_Finalize();
  return 0;
}
