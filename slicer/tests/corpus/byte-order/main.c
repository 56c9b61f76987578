/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one function reads numbers in the file's byte order, and turns that: an index, which says
 * what to read, and bulk data. The slicer must turn the index and not the data, and must not wait
 * for the bytes of the data. */
#include "swap.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kBlocks = 128, kLength = 1024, kStepUs = 500 };

static void put(FILE *output, int64_t value) {
  swapAll(&value, 1);
  fwrite(&value, sizeof value, 1, output);
}

static void make(const char *name) {
  FILE *output = fopen(name, "wb");
  for (int64_t b = 0; b < kBlocks; b++)
    put(output, 8 * (kBlocks + b * 37 % kBlocks * kLength));
  for (int64_t b = 0; b < kBlocks; b++)
    for (int64_t i = 0; i < kLength; i++)
      put(output, b * i);
  fclose(output);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    make("byte-order.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "byte-order.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int64_t *index = malloc(kBlocks * sizeof *index), *words = malloc(kLength * sizeof *words);
  getWords(file, 0, index, kBlocks);
  int64_t sum = 0;
  for (int b = rank; b < kBlocks; b += size) {
    sum += getWords(file, index[b], words, kLength);
    for (int i = 0; i < kLength; i++)
      sum += words[i] % 11;
    usleep(kStepUs);
  }
  MPI_File_close(&file);
  int64_t all = 0;
  MPI_Reduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("byte-order %lld\n", (long long)all);
  free(index);
  free(words);
  MPI_Finalize();
  return 0;
}
