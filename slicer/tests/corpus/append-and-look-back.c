/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: records are appended at the end of a log, and now and then the last ones are read back.
 * When the pre-execution thread comes to a seek to the end, the log may be longer already than it
 * was for the main thread: where that went must come from it. */
#include <mpi.h>
#include <stdio.h>

enum { kRecord = 1000, kTail = 2400, kSteps = 120 };

int main(int argc, char **argv) {
  unsigned char bytes[kTail];
  char name[64];
  int rank;
  long sum = 0, all = 0;
  MPI_File log;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "append-and-look-back.%d", rank);
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &log);
  for (int step = 0; step < kSteps; step++) {
    for (int i = 0; i < kRecord; i++)
      bytes[i] = (unsigned char)(step * 3 + i % 17);
    MPI_File_seek(log, 0, MPI_SEEK_END);
    MPI_File_write(log, bytes, kRecord, MPI_BYTE, MPI_STATUS_IGNORE);
    if (step % 4 == 3) {
      MPI_File_seek(log, -(MPI_Offset)kTail, MPI_SEEK_CUR);
      MPI_File_read(log, bytes, kTail, MPI_BYTE, MPI_STATUS_IGNORE);
      for (int pass = 0; pass < 50; pass++)
        for (int i = 0; i < kTail; i++)
          sum += bytes[i] ^ pass;
    }
  }
  MPI_File_close(&log);
  MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("append-and-look-back %ld\n", all);
  MPI_Finalize();
  return 0;
}
