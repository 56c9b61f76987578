/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a state machine with an enumeration walks through the file.
 * The slicer must keep the transitions that do not depend on data. */
#include <mpi.h>
#include <stdio.h>

enum Mode { ModeHeader, ModeBody, ModeSkip, ModeTail, ModeDone };

enum { kUnit = 20, kUnits = 120 };

static enum Mode following(enum Mode mode, int unit) {
  switch (mode) {
  case ModeHeader:
    return ModeBody;
  case ModeBody:
    return unit % 10 > 6 ? ModeSkip : ModeBody;
  case ModeSkip:
    return unit > 90 ? ModeTail : ModeHeader;
  case ModeTail:
    return unit >= kUnits - 1 ? ModeDone : ModeTail;
  case ModeDone:
    break;
  }
  return ModeDone;
}

static const int steps[] = {[ModeHeader] = 1, [ModeBody] = 2, [ModeSkip] = 5, [ModeTail] = 3};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[kUnit * 2] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "enum-mode.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int u = 0; rank == 0 && u < kUnits; u++) {
    for (int i = 0; i < kUnit; i++)
      values[i] = u + i;
    MPI_File_write(file, values, kUnit, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "enum-mode.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  enum Mode mode = rank % 2 ? ModeBody : ModeHeader;
  for (int unit = rank; mode != ModeDone && unit < kUnits; unit += steps[mode]) {
    mode = following(mode, unit);
    if (mode == ModeDone)
      break;
    if (mode == ModeSkip)
      continue;
    int count = mode == ModeBody ? 2 * kUnit : kUnit / 2;
    MPI_File_read_at(file, unit * kUnit * (MPI_Offset)sizeof *values, values, count, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < count && unit + 1 < kUnits; i++)
      sum += values[i] * (int)mode;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("enum-mode %ld\n", total);
  MPI_Finalize();
  return 0;
}
