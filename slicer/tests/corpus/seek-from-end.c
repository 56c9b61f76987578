/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: seeks relative to the end of a file that is open for writing, too. Where they lead comes
 * from the main thread, and must be predicted in the loop. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kRecord = 2048, kRecords = 200, kStepUs = 500 };

int main(int argc, char **argv) {
  unsigned char record[kRecord];
  char name[64];
  int rank;
  long sum = 0, all = 0;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "seek-from-end.%d", rank);
  FILE *made = fopen(name, "wb");
  for (int i = 0; i < kRecords * kRecord; i++)
    fputc(i / kRecord * 7 + i % 11, made);
  fclose(made);

  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int i = 1; i <= kRecords; i++) {
    MPI_File_seek(file, -(MPI_Offset)i * kRecord, MPI_SEEK_END);
    MPI_File_read(file, record, kRecord, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int k = 0; k < kRecord; k++)
      sum += record[k] * (i % 5 + 1);
    usleep(kStepUs);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("seek-from-end %ld\n", all);
  MPI_Finalize();
  return 0;
}
