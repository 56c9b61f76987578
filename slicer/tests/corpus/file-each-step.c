/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each step reads an index from a small file of its own, closes it, and writes it anew for the
 * next step, past MPI-IO. The slicer must have the index while it is there.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 4096, kBlocks = 32, kSteps = 20, kReads = 10 };

static void write(const char *name, long blocks, unsigned long seed) {
  FILE *file = fopen(name, "wb");
  for (long i = 0; i < blocks * kLength; i++) {
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    long value = (long)((seed >> 33) % kBlocks);
    fwrite(&value, sizeof value, 1, file);
  }
  fclose(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  char index[40], data[40];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(index, sizeof index, "file-each-step-%d.index", rank);
  snprintf(data, sizeof data, "file-each-step-%d.data", rank);
  write(data, kBlocks, 12345);

  MPI_File file, values;
  MPI_File_open(MPI_COMM_SELF, data, MPI_MODE_RDONLY, MPI_INFO_NULL, &values);
  long *entries = malloc(kLength * sizeof *entries), *block = malloc(kLength * sizeof *block);
  long sum = 0, total = 0;
  for (int step = 0; step < kSteps; step++) {
    write(index, 1, (unsigned long)step + 1);
    MPI_File_open(MPI_COMM_SELF, index, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_read_at(file, 0, entries, kLength, MPI_LONG, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    for (int i = 0; i < kReads; i++) {
      MPI_File_read_at(values, entries[i * 7 + step] * kLength * 8, block, kLength, MPI_LONG,
                       MPI_STATUS_IGNORE);
      for (int k = 0; k < kLength; k++)
        sum += block[k] * (k % 3 + i);
    }
  }
  MPI_File_close(&values);
  free(entries);
  free(block);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("file-each-step %ld\n", total);
  MPI_Finalize();
  return 0;
}
