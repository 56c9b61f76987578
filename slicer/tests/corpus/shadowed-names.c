/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: one name for a global, a parameter, locals in nested blocks, a field, a label and a tag.
 * The slicer must tell them apart when it makes private copies and clones. */
#include <mpi.h>
#include <stdio.h>

enum { kLength = 20, kBlocks = 45 };

static int offset = 3;

struct offset {
  int offset;
};

static int step(int offset) {
  struct offset place = {offset};
  {
    int offset = place.offset * 2;
    place.offset += offset % 5;
  }
  return place.offset;
}

static void advance(void) { offset += 2; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kLength];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "shadowed-names.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * 3 ^ i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "shadowed-names.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < 12; i++) {
    int block = step(offset + rank);
    for (int i = 0, offset = block; i < 3; i++, offset += 7) {
      MPI_File_read_at(file, offset % kBlocks * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                       MPI_STATUS_IGNORE);
      long sumHere = 0;
      for (int i = 0; i < kLength; i++)
        sumHere += values[i];
      sum += sumHere * i;
    }
    if (i == 8)
      goto offset;
    advance();
  }
offset:
  MPI_File_close(&file);
  sum += offset;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("shadowed-names %ld\n", total);
  MPI_Finalize();
  return 0;
}
