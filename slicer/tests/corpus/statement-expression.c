/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: GNU C: statement expressions, typeof, case ranges, `?:` without a middle, nested labels.
 * The slicer must look into statement expressions for reads and for changes. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 34, kBlocks = 36 };

#define MAX(a, b)                                                                                  \
  ({                                                                                               \
    __typeof__(a) a_ = (a);                                                                        \
    __typeof__(b) b_ = (b);                                                                        \
    a_ > b_ ? a_ : b_;                                                                             \
  })

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "statement-expression.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = MAX(b - i, i - b);
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "statement-expression.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  int carried = 0;
  for (int i = 0; i < 40; i++) {
    MPI_Offset offset = ({
      int block = MAX(i - rank, 2 * carried) % kBlocks;
      switch (block) {
      case 0 ... 4:
        carried = 1;
        break;
      case 5 ... 20:
        carried += 2;
        break;
      default:
        carried = (carried % 3) ?: 4;
      }
      block *(MPI_Offset)sizeof values;
    });
    sum += ({
      long here = 0;
      MPI_File_read_at(file, offset, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
      for (int k = 0; k < kLength; k++)
        here += values[k] * (k & 3);
      here;
    });
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("statement-expression %ld\n", total);
  MPI_Finalize();
  return 0;
}
