/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: seeks from the start, from here and from the end of the file.
 * The slicer must keep all three, and the size of the file that the last one needs. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 21 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("seek-set-cur-end.dat", "wb");
    for (int i = 0; i < 3000; i++)
      fputc((i * i) % 255, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "seek-set-cur-end.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < 30; i++) {
    unsigned char bytes[kLength];
    MPI_Offset here, size;
    if (i % 3 == 0) {
      MPI_File_seek(file, i * 20 + rank, MPI_SEEK_SET);
    } else if (i % 3 == 1) {
      MPI_File_seek(file, 50 - rank, MPI_SEEK_CUR);
    } else {
      MPI_File_get_size(file, &size);
      MPI_File_seek(file, -(size / 4) - i, MPI_SEEK_END);
    }
    MPI_File_read(file, bytes, kLength, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_get_position(file, &here);
    for (int k = 0; k < kLength; k++)
      sum += bytes[k] * (here % 7);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("seek-set-cur-end %ld\n", total);
  MPI_Finalize();
  return 0;
}
