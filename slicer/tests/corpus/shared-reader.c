/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one helper reads the header, the index and the data, as most programs have it.
 * The slicer must fetch the header and the index, and only announce the data. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBlocks = 48, kLength = 40 };

struct Header {
  long blocks, index;
};

static MPI_File file;

static int readBytes(MPI_Offset at, void *into, size_t bytes) {
  return MPI_File_read_at(file, at, into, (int)bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void readAll(MPI_Offset at, void *into, size_t count, size_t each) {
  if (readBytes(at, into, count * each) != MPI_SUCCESS) {
    fprintf(stderr, "cannot read\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void makeInput(const char *path) {
  struct Header header = {kBlocks,
                          (long)sizeof header + kBlocks * (long)(kLength * sizeof(double))};
  FILE *out = fopen(path, "wb");
  fwrite(&header, sizeof header, 1, out);
  for (int b = 0; b < kBlocks; b++)
    for (int i = 0; i < kLength; i++) {
      double value = b * i % 17;
      fwrite(&value, sizeof value, 1, out);
    }
  for (int b = 0; b < kBlocks; b++) {
    long at = (long)sizeof header + (b * 29 % kBlocks) * (long)(kLength * sizeof(double));
    fwrite(&at, sizeof at, 1, out);
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("shared-reader.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File_open(MPI_COMM_WORLD, "shared-reader.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  struct Header header;
  readAll(0, &header, 1, sizeof header);
  long *index = malloc((size_t)header.blocks * sizeof *index);
  readAll(header.index, index, (size_t)header.blocks, sizeof *index);
  double sum = 0, total = 0, block[kLength];
  for (long b = rank; b < header.blocks; b += 3) {
    readAll(index[b], block, kLength, sizeof *block);
    for (int i = 0; i < kLength; i++)
      sum += block[i] * (double)(b + i);
  }
  MPI_File_close(&file);
  free(index);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("shared-reader %.0f\n", total);
  MPI_Finalize();
  return 0;
}
