/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a list of ranges is taken apart by strtok, strtol and sscanf.
 * The slicer must keep strtok's calls in order, on a private copy of its hidden state. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 16 };

static const char *const ranges = "0-20,100-131; 40-55,7-9 ;200-240,150-160";

struct Range {
  long first, last;
};

static int parse(const char *text, struct Range *list) {
  char *copy = strdup(text);
  int n = 0;
  for (char *word = strtok(copy, ",; "); word && n < kMost; word = strtok(NULL, ",; ")) {
    char *dash;
    list[n].first = strtol(word, &dash, 10);
    if (*dash != '-' || sscanf(dash + 1, "%ld", &list[n].last) != 1)
      continue;
    n++;
  }
  free(copy);
  return n;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    FILE *out = fopen("strtok-config.dat", "wb");
    for (int i = 0; i < 300; i++) {
      double value = i % 10;
      fwrite(&value, sizeof value, 1, out);
    }
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  struct Range list[kMost];
  int n = parse(ranges, list);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "strtok-config.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0, values[64];
  for (int i = 0; i < n; i++) {
    int count = (int)(list[i].last - list[i].first) + 1;
    MPI_File_read_at(file, (list[i].first + rank) * 8, values, count, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < count; k++)
      sum += values[k] * (i + 1);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("strtok-config %d %.0f\n", n, total);
  MPI_Finalize();
  return 0;
}
