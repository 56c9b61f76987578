/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/tutorial.md: reads the records of a file in the order that the file's index
 * names, and computes on each. No line of it knows of Forerun. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRecords = 512, kValues = 8192, kSweeps = 60 };

static void make(const char *path) {
  static double record[kValues];
  long index[kRecords];
  FILE *out = fopen(path, "wb");
  if (out == NULL) {
    perror(path);
    exit(1);
  }
  for (int r = 0; r < kRecords; r++) /* the records are not in the order of the index */
    index[r] = (long)sizeof index + (long)(r * 197 % kRecords) * (long)sizeof record;
  fwrite(index, sizeof index, 1, out);
  for (int r = 0; r < kRecords; r++) {
    for (int i = 0; i < kValues; i++)
      record[i] = (r * 31 + i * 17) % 1000;
    fwrite(record, sizeof record, 1, out);
  }
  fclose(out);
}

static double smooth(double *values) {
  double sum = 0;
  for (int sweep = 0; sweep < kSweeps; sweep++)
    for (int i = 1; i < kValues - 1; i++)
      values[i] = (values[i - 1] + values[i] + values[i + 1]) / 3;
  for (int i = 0; i < kValues; i++)
    sum += values[i];
  return sum;
}

int main(int argc, char **argv) {
  static double values[kValues];
  double sum = 0, total = 0;
  long index[kRecords];
  int rank, ranks;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc == 3 && strcmp(argv[2], "make") == 0) {
    if (rank == 0)
      make(argv[1]);
    MPI_Finalize();
    return 0;
  }

  if (argc != 2 || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file)) {
    fprintf(stderr, "usage: records FILE [make]: there must be such a file\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  double start = MPI_Wtime();
  MPI_File_read_at(file, 0, index, kRecords, MPI_LONG, MPI_STATUS_IGNORE);
  for (int r = rank; r < kRecords; r += ranks) {
    MPI_File_read_at(file, index[r], values, kValues, MPI_DOUBLE, MPI_STATUS_IGNORE);
    sum += smooth(values);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %.0f in %.2f s\n", total, MPI_Wtime() - start);
  MPI_Finalize();
  return 0;
}
