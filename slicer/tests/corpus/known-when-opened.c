/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what the main thread has computed when it opens a file is handed over there: the options,
 * a table and a global. The slicer must still compute what changes after that, and must not take a
 * variable for another one of its name. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFiles = 3, kBlocks = 48, kLength = 32 };

struct Options {
  int first, step;
  double scale;
};

static long base;

static MPI_File opened(int number, int mode) {
  char name[64];
  MPI_File file;
  snprintf(name, sizeof name, "known-when-opened.%d", number);
  if (MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
  return file;
}

static struct Options optionsOf(int argc, char **argv, int rank) {
  struct Options options = {.first = rank, .step = 1, .scale = 0.5};
  for (int i = 1; i < argc; i++)
    options.step += atoi(argv[i]);
  return options;
}

static long readBlock(MPI_File file, long block) {
  int values[kLength];
  long sum = 0;
  MPI_File_read_at(file, block % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += values[i] * (i % 3 + 1);
  return sum;
}

static void makeFile(int number, int rank) {
  int values[kLength];
  MPI_File file = opened(number, MPI_MODE_CREATE | MPI_MODE_WRONLY);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 7 + i + number) % 101;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Options options = optionsOf(argc, argv, rank);
  for (int f = 0; f < kFiles; f++)
    makeFile(f, rank);

  double sum = 0, total = 0;
  for (int f = 0; f < kFiles; f++) {
    long skip = f * 5 + ranks;
    int table[4];
    for (int k = 0; k < 4; k++)
      table[k] = (f + k * 7 + rank) % 11;
    base = skip * 2;
    MPI_File file = opened(f, MPI_MODE_RDONLY);
    base += table[0];
    {
      long skip = table[1];
      sum += readBlock(file, base + skip);
    }
    for (int b = options.first; b < kBlocks; b += options.step)
      sum += options.scale * readBlock(file, b + skip + table[b % 4]);
    options.step++;
    MPI_File_close(&file);
  }
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("known-when-opened %.1f\n", total);
  MPI_Finalize();
  return 0;
}
