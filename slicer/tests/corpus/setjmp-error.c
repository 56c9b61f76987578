/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: setjmp as an error exit that no record takes.
 * The slicer must keep the reads below setjmp; the jump depends on what is read and is not
 * expected. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

enum { kLength = 26, kRecords = 30 };

static jmp_buf onBadRecord;

static long checked(const int *record) {
  long sum = 0;
  for (int i = 1; i < kLength; i++)
    sum += record[i];
  if (record[0] != sum % 97)
    longjmp(onBadRecord, 1);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, record[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "setjmp-error.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int r = 0; rank == 0 && r < kRecords; r++) {
    long sum = 0;
    for (int i = 1; i < kLength; i++)
      sum += record[i] = r * 5 + i;
    record[0] = (int)(sum % 97);
    MPI_File_write(file, record, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "setjmp-error.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  volatile long sum = 0;
  if (setjmp(onBadRecord) == 0) {
    for (int r = rank % 3; r < kRecords; r += 2) {
      MPI_File_read_at(file, r * (MPI_Offset)sizeof record, record, kLength, MPI_INT,
                       MPI_STATUS_IGNORE);
      sum += checked(record);
    }
  } else {
    sum = -1;
  }
  MPI_File_close(&file);
  long mine = sum, total = 0;
  MPI_Reduce(&mine, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("setjmp-error %ld\n", total);
  MPI_Finalize();
  return 0;
}
