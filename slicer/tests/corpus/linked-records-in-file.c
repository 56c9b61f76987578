/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: each record holds the offset of the next one.
 * The slicer must fetch the records it needs the links of, one after the other, not prefetch. */
#include <mpi.h>
#include <stdio.h>

struct Record {
  long next; /* offset of the next record, 0 at the end */
  int values[30];
};

enum { kRecords = 40 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  struct Record record;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "linked-records-in-file.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int r = 0; rank == 0 && r < kRecords; r++) {
    int next = (r + 9) % kRecords; /* 40 and 9 have no common factor: one ring */
    record.next = next ? next * (long)sizeof record : 0;
    for (int i = 0; i < 30; i++)
      record.values[i] = r * 4 + i;
    MPI_File_write_at(file, r * (MPI_Offset)sizeof record, &record, (int)sizeof record, MPI_BYTE,
                      MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "linked-records-in-file.dat", MPI_MODE_RDONLY, MPI_INFO_NULL,
                &file);
  long sum = 0, total = 0, at = rank * (long)sizeof record;
  do {
    MPI_File_read_at(file, at, &record, (int)sizeof record, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int i = 0; i < 30; i++)
      sum = (sum * 3 + record.values[i]) % 1000003;
    at = record.next;
  } while (at != 0);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("linked-records-in-file %ld\n", total);
  MPI_Finalize();
  return 0;
}
