/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: longjmp as a loop: each jump back reads another record.
 * The slicer need not follow the jump, but the program must behave as ever. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

enum { kLength = 40 };

static jmp_buf again;

static void more(int step) {
  if (step < 12)
    longjmp(again, step + 1);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, record[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "setjmp-loop.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int r = 0; rank == 0 && r < 20; r++) {
    for (int i = 0; i < kLength; i++)
      record[i] = r ^ i;
    MPI_File_write(file, record, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "setjmp-loop.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  volatile long sum = 0;
  volatile int step = 0;
  switch (setjmp(again)) {
  case 0:
    break;
  default:
    step++;
  }
  MPI_File_read_at(file, (step + rank) * (MPI_Offset)sizeof record, record, kLength, MPI_INT,
                   MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += record[i] * step;
  more(step);
  MPI_File_close(&file);

  long mine = sum, total = 0;
  MPI_Reduce(&mine, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("setjmp-loop %ld\n", total);
  MPI_Finalize();
  return 0;
}
