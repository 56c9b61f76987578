/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the program sets variables of its environment, before MPI_Init and between reads, and asks
 * for them again; its random numbers come from a state of its own.
 * The slicer must: hand over what getenv and random give, and set nothing ahead. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 48, kBlocks = 30 };

static int values[kLength];

static void makeInput(const char *name) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 7 + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

/* As many as the variable's text is long; one if it is not set. */
static int setting(const char *name) {
  const char *text = getenv(name);
  return text ? (int)strlen(text) : 1;
}

int main(int argc, char **argv) {
  static char own[] = "CORPUS_OFFSET=12345", state[64];
  setenv("CORPUS_STEP", "xx", 1);
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("own-environment.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  long sum = 0, total = 0;
  initstate(5, state, sizeof state);
  MPI_File_open(MPI_COMM_WORLD, "own-environment.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  putenv(own);
  for (int b = 0; b < kBlocks; b += setting("CORPUS_STEP")) {
    const int block = (b + setting("CORPUS_OFFSET") + (int)(random() % 7)) % kBlocks;
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (i % 5);
    if (b == kBlocks / 2 + 1)
      unsetenv("CORPUS_OFFSET");
    setenv("CORPUS_STEP", values[0] % 2 ? "xxx" : "x", 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("own-environment %ld\n", total);
  MPI_Finalize();
}
