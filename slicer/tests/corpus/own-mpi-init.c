/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a program with a profiling layer of its own: it defines MPI_Init, MPI_Reduce and
 * MPI_Finalize, which count, and call PMPI's. The slicer must leave these as they are and start
 * pre-execution where they call PMPI_Init. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

enum { kBlocks = 40, kLength = 96, kBins = 8 };

static struct {
  int started, reduced, elements;
} calls;

int MPI_Init(int *argc, char ***argv) {
  calls.started++;
  return PMPI_Init(argc, argv);
}

int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  calls.reduced++;
  calls.elements += count;
  return PMPI_Reduce(from, to, count, type, op, root, comm);
}

int MPI_Finalize(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    printf("%d start, %d reductions of %d elements\n", calls.started, calls.reduced,
           calls.elements);
  return PMPI_Finalize();
}

static void makeInput(int rank, int ranks) {
  double values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "own-mpi-init.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int block = rank; block < kBlocks; block += ranks) {
    for (int i = 0; i < kLength; i++)
      values[i] = (block * 31 + i * 17) % 101 * 0.25;
    MPI_File_write_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

struct moments {
  double sum, squares, least, most;
  long bins[kBins];
};

static void measure(struct moments *of, const double *values) {
  for (int i = 0; i < kLength; i++) {
    double value = values[i];
    int bin = (int)(value / 26.0 * kBins);
    of->sum += value;
    of->squares += value * value;
    if (value < of->least)
      of->least = value;
    if (value > of->most)
      of->most = value;
    of->bins[bin < kBins ? bin : kBins - 1]++;
  }
}

static void report(const struct moments *mine, int rank, long blocks) {
  double sums[2] = {mine->sum, mine->squares}, allSums[2] = {0};
  double least = 0, most = 0;
  long bins[kBins] = {0};
  MPI_Reduce(sums, allSums, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine->least, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine->most, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(mine->bins, bins, kBins, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank != 0)
    return;
  double count = (double)blocks * kLength, mean = allSums[0] / count;
  printf("mean %.4f deviation %.4f from %.2f to %.2f\n", mean,
         sqrt(allSums[1] / count - mean * mean), least, most);
  for (int i = 0; i < kBins; i++)
    printf(" %ld", bins[i]);
  printf("\n");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeInput(rank, ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "own-mpi-init.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  struct moments mine = {.least = 1e9, .most = -1e9};
  double values[kLength];
  for (int i = rank; i < kBlocks; i += ranks) {
    int block = i * 7 % kBlocks;
    MPI_File_read_at(file, block * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    measure(&mine, values);
  }
  MPI_File_close(&file);
  report(&mine, rank, kBlocks);
  MPI_Finalize();
  return 0;
}
