/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: non-blocking reads with requests that are waited for later, in another order.
 * The slicer must prefetch at the iread and leave out the requests. */
#include <mpi.h>
#include <stdio.h>

enum { kDepth = 4, kLength = 36, kRecords = 48 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, buffers[kDepth][kLength];
  MPI_Request requests[kDepth];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "iread-wait.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int r = 0; rank == 0 && r < kRecords; r++) {
    for (int i = 0; i < kLength; i++)
      buffers[0][i] = r * i % 113;
    MPI_File_write(file, buffers[0], kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "iread-wait.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int r = 0; r < kRecords; r += kDepth) {
    for (int d = 0; d < kDepth; d++)
      MPI_File_iread_at(file, (r + d + rank) % kRecords * (MPI_Offset)sizeof buffers[0], buffers[d],
                        kLength, MPI_INT, &requests[d]);
    for (int d = kDepth - 1; d >= 0; d--) {
      MPI_Status status;
      int count;
      MPI_Wait(&requests[d], &status);
      MPI_Get_count(&status, MPI_INT, &count);
      for (int i = 0; i < count; i++)
        sum = (sum * 7 + buffers[d][i]) % 1000003;
    }
  }
  MPI_File_seek(file, rank * 4, MPI_SEEK_SET);
  for (int d = 0; d < kDepth; d++)
    MPI_File_iread(file, buffers[d], kLength, MPI_INT, &requests[d]);
  MPI_Status statuses[kDepth];
  MPI_Waitall(kDepth, requests, statuses);
  sum += buffers[kDepth - 1][0];
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("iread-wait %ld\n", total);
  MPI_Finalize();
  return 0;
}
