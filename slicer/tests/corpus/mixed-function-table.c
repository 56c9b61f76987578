/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: tables in which functions of MPI-IO stand beside the program's own of the same type: an
 * open, reads with and without an offset of the program's making, a seek and writes. One is called
 * through a pointer that has no result.
 * The slicer must call clones of the program's own functions, announce MPI's reads, and count each
 * call on both sides whichever it is. */
#include <mpi.h>
#include <stdio.h>

enum { kInts = 40, kBlocks = 30 };

typedef int (*Open)(MPI_Comm, const char *, int, MPI_Info, MPI_File *);
typedef int (*At)(MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *);
typedef void (*Next)(MPI_File, void *, int, MPI_Datatype, MPI_Status *);

static int openAlone(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file) {
  (void)comm;
  return MPI_File_open(MPI_COMM_SELF, path, mode | MPI_MODE_UNIQUE_OPEN, info, file);
}

static int mirrored(MPI_File file, MPI_Offset at, void *to, int count, MPI_Datatype type,
                    MPI_Status *status) {
  return MPI_File_read_at(file, (kBlocks - 1) * kInts * (MPI_Offset)sizeof(int) - at, to, count,
                          type, status);
}

static int nothing(MPI_File file, MPI_Offset at, void *to, int count, MPI_Datatype type,
                   MPI_Status *status) {
  (void)file, (void)at, (void)type, (void)status;
  for (int i = 0; i < count; i++)
    ((int *)to)[i] = 1;
  return MPI_SUCCESS;
}

static const Open opens[] = {MPI_File_open, openAlone};
static const At calls[] = {MPI_File_read_at, mirrored, nothing, (At)MPI_File_write_at};
static const Next others[] = {(Next)(void (*)(void))MPI_File_read,
                              (Next)(void (*)(void))MPI_File_write};

static int calledSoFar;
static const At *pick(int which) {
  calledSoFar++;
  return &calls[which];
}

int main(int argc, char **argv) {
  int rank, values[kInts];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  opens[0](MPI_COMM_WORLD, "mixed-function-table.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
           MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kInts; i++)
      values[i] = b * 100 + i;
    if (rank != 0)
      ;
    else if (b % 2)
      (*pick(3))(file, b *(MPI_Offset)sizeof values, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
    else {
      MPI_File_seek(file, b * (MPI_Offset)sizeof values, MPI_SEEK_SET);
      others[1](file, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
    }
  }
  MPI_File_close(&file);

  long sum = 0, total = 0;
  for (int round = 0; round < 2; round++) {
    opens[round](MPI_COMM_WORLD, "mixed-function-table.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    for (int b = 0; b < kBlocks; b++) {
      (*pick((b + rank + round) % 3))(file, b * 7 % kBlocks * (MPI_Offset)sizeof values, values,
                                      kInts, MPI_INT, MPI_STATUS_IGNORE);
      sum += values[b];
      if (b % 4 == round)
        others[0](file, values, kInts, MPI_INT, MPI_STATUS_IGNORE);
      sum += values[0];
    }
    MPI_File_close(&file);
  }
  sum += calledSoFar;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("mixed-function-table %ld\n", total);
  MPI_Finalize();
  return 0;
}
