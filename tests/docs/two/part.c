/* SPDX-License-Identifier: Apache-2.0 */
#include "part.h"
#include <mpi.h>
#include <stdio.h>

enum { kValues = 4096 };

void makeSteps(const char *path, int steps) {
  FILE *out = fopen(path, "wb");
  for (int step = 0; step < steps; step++)
    for (int i = 0; i < kValues; i++) {
      int value = step * i % 97;
      fwrite(&value, sizeof value, 1, out);
    }
  fclose(out);
}

long sumSteps(const char *path, int steps) {
  static int values[kValues];
  long sum = 0;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int step = 0; step < steps; step++) {
    MPI_File_read_at(file, (MPI_Offset)step * (MPI_Offset)sizeof values, values, kValues, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kValues; i++)
      sum += values[i];
  }
  MPI_File_close(&file);
  return sum;
}
