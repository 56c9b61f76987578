/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each step of a simulation reads a table of one file and appends a snapshot to the end of
 * another, which is read, too. Where that end is, is predicted, and a write, as a dirty range, must
 * not end the prediction. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kRecord = 2048, kTables = 100, kSteps = 160, kStepUs = 500 };

static void compute(unsigned char *record, int step) {
  for (int i = 0; i < kRecord; i++)
    record[i] = (unsigned char)(record[i] * 3 + step);
  usleep(kStepUs);
}

int main(int argc, char **argv) {
  unsigned char record[kRecord], earlier[kRecord];
  char name[64];
  int rank;
  long sum = 0, all = 0;
  MPI_File table, snapshots;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "snapshots-beside-reads.%d", rank);
  if (rank == 0) {
    FILE *made = fopen("snapshots-beside-reads.table", "wb");
    for (int i = 0; i < kTables * kRecord; i++)
      fputc(i % 251, made);
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File_open(MPI_COMM_WORLD, "snapshots-beside-reads.table", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &table);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &snapshots);
  for (int step = 0; step < kSteps; step++) {
    MPI_File_seek(table, (step * 13 + rank) % kTables * (MPI_Offset)kRecord, MPI_SEEK_SET);
    MPI_File_read(table, record, kRecord, MPI_BYTE, MPI_STATUS_IGNORE);
    compute(record, step);
    MPI_File_seek(snapshots, 0, MPI_SEEK_END);
    MPI_File_write(snapshots, record, kRecord, MPI_BYTE, MPI_STATUS_IGNORE);
    if (step % 10 == 9) {
      MPI_File_read_at(snapshots, step / 2 * (MPI_Offset)kRecord, earlier, kRecord, MPI_BYTE,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < kRecord; i++)
        sum += earlier[i] * (step % 7);
    }
  }
  MPI_File_close(&table);
  MPI_File_close(&snapshots);
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("snapshots-beside-reads %ld\n", all);
  MPI_Finalize();
  return 0;
}
