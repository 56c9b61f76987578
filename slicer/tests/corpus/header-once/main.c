/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: opens and reads in headers with `#pragma once` that include each other, in a macro of a
 * header, and in a part of the source that is included; a second unit calls what that defines. The
 * slicer must tell all of them apart, and leave the files as they are. */
#include "io/input.h"

#include "io/handle.h"
#include <assert.h>
#include <stdio.h>

enum { kLength = 22, kRows = 36 };

long heads(Input *input);

#include "rows.inc"

static void makeInput(void) {
  FILE *out = fopen("header-once.dat", "wb");
  for (int i = 0; i < 10 + kLength * kRows; i++) {
    int value = i * 3 % 59;
    fwrite(&value, sizeof value, 1, out);
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  Input input;
  openInput(&input, "header-once.dat");
  long sum = sumOfRows(&input, rank, rank + 24) + heads(&input), total = 0;
  MPI_File_close(&input.file);
  assert(__LINE__ == 37);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("header-once %ld\n", total);
  MPI_Finalize();
  return 0;
}
