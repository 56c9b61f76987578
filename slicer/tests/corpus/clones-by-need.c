/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: functions that read, and compute something of what they read, are called by some for what
 * they announce only: a sum whose value says how many blocks there are, once, and is only printed
 * after that; a tree that is walked for its size, then for its sum; one that communicates, and one
 * with a static variable. The slicer must write a second, lean clone of them, of the same sites. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kBlocks = 96, kLength = 512, kStepUs = 500 };

struct Node {
  long left, right, blocks;
};
static struct Node nodes[kBlocks];
static int rank, size;

static MPI_Offset placeOf(long block) {
  return (MPI_Offset)sizeof nodes + block * kLength * (MPI_Offset)sizeof(double);
}

/* The mean of a block. */
static double load(MPI_File file, long block, double *values) {
  double sum = 0;
  if (MPI_File_read_at(file, placeOf(block), values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE) !=
      MPI_SUCCESS)
    return -1;
  for (int turn = 0; turn < 4; turn++)
    for (int i = 0; i < kLength; i++)
      sum += sqrt(values[i] * values[i] + turn) - (turn ? sqrt(turn) : 0);
  return sum / kLength;
}

/* The number of blocks below a node, and the sum of them. */
static long walk(MPI_File file, long at, double *sum) {
  if (at < 0)
    return 0;
  double values[kLength];
  long below = walk(file, nodes[at].left, sum);
  *sum += load(file, at, values);
  if (size > 0)
    usleep(kStepUs);
  return below + 1 + walk(file, nodes[at].right, sum);
}

/* All read the same number of values; what they make of them is the same for all. */
static long together(MPI_File file, long block, double *mean) {
  double values[kLength];
  long mine = lround(load(file, block, values)) % 5, all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  *mean = values[all];
  return all;
}

static long counted(MPI_File file, long block, double *values) {
  static long calls;
  load(file, (block + calls++) % kBlocks, values);
  return lround(values[3]) + calls;
}

static void make(const char *name) {
  FILE *output = fopen(name, "wb");
  double values[kLength];
  for (long i = 0; i < kBlocks; i++) {
    nodes[i].left = 2 * i + 1 < kBlocks ? 2 * i + 1 : -1;
    nodes[i].right = 2 * i + 2 < kBlocks ? 2 * i + 2 : -1;
    nodes[i].blocks = i % 3;
  }
  fwrite(nodes, sizeof nodes, 1, output);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b == 0 ? 48 : b * 41 % kBlocks + i % 7;
    fwrite(values, sizeof values, 1, output);
  }
  fclose(output);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    make("clones-by-need.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "clones-by-need.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_read_at(file, 0, nodes, sizeof nodes, MPI_BYTE, MPI_STATUS_IGNORE);
  double values[kLength], total = 0;

  long blocks = lround(load(file, 0, values)); /* 48 */
  for (long b = rank; b < blocks; b += size) {
    total += load(file, b * 5 % kBlocks, values);
    usleep(kStepUs);
  }
  double sum = 0;
  long below = walk(file, 5 + rank % 2, &sum);
  for (long b = rank; b < below; b += size)
    total += load(file, b, values);
  walk(file, 1, &sum);
  total += sum;
  double mean = 0;
  long stride = 1 + together(file, 7, &mean);
  for (long b = 0; b < kBlocks / 2; b += stride)
    total += together(file, b, &mean) + mean;
  double last[kLength];
  long from = counted(file, 9, last);
  for (long b = 0; b < 8; b++)
    total += counted(file, from + b, last);

  MPI_File_close(&file);
  double all = 0;
  MPI_Reduce(&total, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("clones-by-need %.6f\n", all);
  MPI_Finalize();
  return 0;
}
