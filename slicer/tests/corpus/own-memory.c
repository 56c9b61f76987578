/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a table of offsets in memory from MPI_Alloc_mem, filled from a text by getline, chosen by
 * the environment that main is given. The slicer must have such memory, such lines and main's third
 * parameter of the pre-execution thread's own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 18, kBlocks = 40 };

static void makeInput(void) {
  FILE *out = fopen("own-memory.txt", "w");
  for (int i = 0; i < 30; i++)
    fprintf(out, "block %d\n", i * 7 % kBlocks);
  fclose(out);
  out = fopen("own-memory.dat", "wb");
  for (int i = 0; i < kLength * kBlocks; i++) {
    int value = i * 11 % 53;
    fwrite(&value, sizeof value, 1, out);
  }
  fclose(out);
}

static int readTable(const char *path, int *table) {
  char *line = NULL;
  size_t size = 0;
  int count = 0;
  FILE *in = fopen(path, "r");
  while (getline(&line, &size, in) > 0)
    table[count++] = atoi(line + strlen("block "));
  free(line);
  fclose(in);
  return count;
}

int main(int argc, char **argv, char **envp) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);
  int step = 1;
  for (char **each = envp; *each; each++)
    if (!strncmp(*each, "CORPUS_STEP=", 12))
      step = atoi(*each + 12);

  int *table;
  MPI_Alloc_mem(100 * sizeof *table, MPI_INFO_NULL, &table);
  int count = readTable("own-memory.txt", table);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "own-memory.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = rank % step; i < count; i += step) {
    int values[kLength];
    MPI_File_read_at(file, (MPI_Offset)table[i] * kLength * 4, values, kLength, MPI_INT,
                     MPI_STATUS_IGNORE);
    for (int k = 0; k < kLength; k++)
      sum += values[k] * (k + i);
  }
  MPI_File_close(&file);
  MPI_Free_mem(table);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("own-memory %ld\n", total);
  MPI_Finalize();
  return 0;
}
