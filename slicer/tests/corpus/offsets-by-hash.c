/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each offset depends on the bytes before it and on the number of the step.
 * The slicer must fetch what is read, in order; the thread is never ahead of the program, and must
 * not slow it down. */
#include <mpi.h>
#include <stdio.h>

enum { kSteps = 250, kBlocks = 400, kApart = 4096 };

struct Block {
  unsigned seed, value;
};

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (unsigned n = 0; n < kBlocks; n++) {
    const struct Block block = {n * 2654435761U >> 7, n * 13 + 1};
    fseek(out, (long)n * kApart, SEEK_SET);
    fwrite(&block, sizeof block, 1, out);
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("offsets-by-hash.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "offsets-by-hash.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  unsigned state = (unsigned)rank;
  long sum = 0, total = 0;
  for (unsigned step = 0; step < kSteps; step++) {
    struct Block block;
    MPI_File_read_at(file, (MPI_Offset)((step * 37 + state) % kBlocks) * kApart, &block,
                     sizeof block, MPI_BYTE, MPI_STATUS_IGNORE);
    state = state * 5 + block.seed;
    sum += block.value;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("offsets-by-hash %ld\n", total);
  MPI_Finalize();
  return 0;
}
