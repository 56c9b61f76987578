/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: threads that OpenMP starts compute, on the data and on what is read next.
 * The pre-execution thread does alone what all of them do. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBlocks = 20, kBlock = 60 };

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (int i = 0; i < kBlocks * kBlock; i++)
    fwrite(&i, sizeof i, 1, out);
  fclose(out);
}

int main(int argc, char **argv) {
  int provided, rank, values[kBlock];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("openmp-compute.dat");
  MPI_Barrier(MPI_COMM_WORLD);

  long offsets[kBlocks], sum = 0, total = 0;
#pragma omp parallel for
  for (int b = 0; b < kBlocks; b++)
    offsets[b] = (b * 3L + rank) % kBlocks * (long)sizeof values;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "openmp-compute.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
#pragma omp parallel
    {
#pragma omp master
      MPI_File_read_at(file, offsets[b], values, kBlock, MPI_INT, MPI_STATUS_IGNORE);
#pragma omp barrier
#pragma omp for reduction(+ : sum)
      for (int i = 0; i < kBlock; i++)
        sum += values[i] * (long)(b + 1);
    }
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("openmp-compute %ld\n", total);
  MPI_Finalize();
  return 0;
}
