/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a series of files behind one handle: it is closed after some steps, and opened again where it
 * is MPI_FILE_NULL. The slicer must set the handle as MPI_File_close does; else the next file would
 * never be opened, and everything announced from the first. The last usable one of several files is
 * found first: the search ends by what a file holds, and more is opened after it. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { kLength = 64, kBlocks = 16, kFiles = 6 };

typedef struct {
  MPI_File file;
  int part, at;
} Series;

static void nameOf(int part, char *name, size_t bytes) {
  snprintf(name, bytes, "handle-closed.%d", part);
}

static void readNext(Series *series, double *values) {
  char name[32];
  if (series->at == kBlocks && series->file != MPI_FILE_NULL) {
    MPI_File_close(&series->file);
    series->part++;
  }
  if (series->file == MPI_FILE_NULL) {
    nameOf(series->part, name, sizeof name);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &series->file);
    series->at = 0;
  }
  MPI_File_read_at(series->file, series->at++ * (MPI_Offset)kLength * (MPI_Offset)sizeof *values,
                   values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

/* Whether the file says so in its first two numbers. */
static int isUsable(int part) {
  char name[32];
  double head[2] = {0, 1};
  MPI_File file;
  nameOf(part, name, sizeof name);
  if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    return 0;
  MPI_File_read_at(file, 0, head, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  return head[0] == head[1];
}

static void make(int rank) {
  char name[32];
  for (int part = 0; rank == 0 && part < kFiles; part++) {
    nameOf(part, name, sizeof name);
    FILE *made = fopen(name, "wb");
    for (int i = 0; i < kBlocks * kLength; i++) {
      double value = i == 1 ? part < kFiles - 1 : 1 + i / 2 % 50;
      fwrite(&value, sizeof value, 1, made);
    }
    fclose(made);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, last;
  double values[kLength], sum = 0, total;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  make(rank);
  for (last = kFiles - 1; last >= 0; last--)
    if (isUsable(last))
      break;
  Series series = {MPI_FILE_NULL, 0, 0};
  for (int step = 0; step < last * kBlocks; step++) {
    readNext(&series, values);
    usleep(500);
    for (int i = 0; i < kLength; i++)
      sum += values[i] * (step % 5);
  }
  MPI_File_close(&series.file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("handle-closed %d %.3f\n", last, total);
  MPI_Finalize();
  return 0;
}
