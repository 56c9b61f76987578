/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: what an ordered read brings decides about other reads. All ranks read the same amount, so
 * the slicer must have each fetch its part. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 64, kBlocks = 96, kRounds = 40 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, index[kLength];
  double values[kLength], sum = 0, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *made = fopen("read-ordered-decides.index", "wb");
    for (int i = 0; i < kLength * kRounds * 4; i++) {
      int entry = i * 29 % kBlocks;
      fwrite(&entry, sizeof entry, 1, made);
    }
    fclose(made);
    made = fopen("read-ordered-decides.dat", "wb");
    for (int i = 0; i < kLength * kBlocks; i++) {
      double value = i % 31 + i / kLength;
      fwrite(&value, sizeof value, 1, made);
    }
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File entries, data;
  MPI_File_open(MPI_COMM_WORLD, "read-ordered-decides.index", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &entries);
  MPI_File_open(MPI_COMM_WORLD, "read-ordered-decides.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &data);
  for (int round = 0; round < kRounds; round++) {
    MPI_File_read_ordered(entries, index, kLength, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < 3; k++) {
      MPI_File_read_at(data, index[k * 7] * (MPI_Offset)sizeof values, values, kLength, MPI_DOUBLE,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < kLength; i++)
        sum += values[i] * (k + 1);
    }
  }
  MPI_File_close(&entries);
  MPI_File_close(&data);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("read-ordered-decides %.3f\n", total);
  MPI_Finalize();
  return 0;
}
