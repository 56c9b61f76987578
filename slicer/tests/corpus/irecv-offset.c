/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: where to read comes by non-blocking calls: receives from both neighbours that are
 * completed together, and before the loop a broadcast that is tested for until it has come. The
 * slicer must have the pre-execution threads make the former among themselves, and the latter
 * handed over when it is there, and not where the call stands. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 24, kBlocks = 50, kSteps = 20, kStepMs = 10 };

static void makeInput(void) {
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "irecv-offset.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = (b * 7 + i * 3) % 41;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

static long readBlock(MPI_File file, int block) {
  int values[kLength];
  long sum = 0;
  MPI_File_read_at(file, (MPI_Offset)block * kLength * 4, values, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += values[i] * (i + 1);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeInput();
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "irecv-offset.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  long sum = 0, total = 0;

  int stride = rank == 0 ? 3 : 0, isThere = 0;
  MPI_Request request;
  MPI_Ibcast(&stride, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  while (!isThere)
    MPI_Test(&request, &isThere, MPI_STATUS_IGNORE);

  int blocks[2] = {rank, rank + 10};
  for (int step = 0; step < kSteps; step++) {
    int sent[2] = {blocks[0] + stride, blocks[1] + 2 * stride};
    MPI_Request requests[4];
    MPI_Status statuses[4];
    MPI_Irecv(&blocks[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&blocks[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&sent[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&sent[1], 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[3]);
    for (int i = 0; i < 4; i++)
      sum += readBlock(file, (step * 5 + i + rank) % kBlocks);
    MPI_Waitall(4, requests, statuses);
    sum += readBlock(file, blocks[0] % kBlocks) - readBlock(file, blocks[1] % kBlocks);
    usleep(kStepMs * 1000);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("irecv-offset %ld\n", total);
  MPI_Finalize();
  return 0;
}
