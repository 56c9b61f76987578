/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: parameters from a text file through fgets and sscanf.
 * The slicer must not read from the main thread's stream: it forwards what it needs, or opens the
 * file itself. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct Settings {
  int blocks, stride;
  char data[64];
  double weight;
};

static void makeInput(void) {
  FILE *out = fopen("text-config-file.conf", "w");
  fprintf(out, "# what to read\nblocks = 25\nweight = 0.5\nstride = 3\ndata = %s\n",
          "text-config-file.dat");
  fclose(out);
  out = fopen("text-config-file.dat", "wb");
  for (int i = 0; i < 2000; i++) {
    float value = (float)(i % 9);
    fwrite(&value, sizeof value, 1, out);
  }
  fclose(out);
}

static int readSettings(const char *path, struct Settings *settings) {
  char line[128], key[32], value[64];
  FILE *in = fopen(path, "r");
  if (!in)
    return 0;
  while (fgets(line, sizeof line, in)) {
    if (line[0] == '#' || sscanf(line, "%31s = %63s", key, value) != 2)
      continue;
    if (!strcmp(key, "blocks"))
      sscanf(value, "%d", &settings->blocks);
    else if (!strcmp(key, "stride"))
      sscanf(value, "%d", &settings->stride);
    else if (!strcmp(key, "weight"))
      sscanf(value, "%lf", &settings->weight);
    else if (!strcmp(key, "data"))
      strcpy(settings->data, value);
  }
  fclose(in);
  return settings->blocks > 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput();
  MPI_Barrier(MPI_COMM_WORLD);

  struct Settings settings = {0, 1, "", 1.0};
  if (!readSettings("text-config-file.conf", &settings))
    MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, settings.data, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sum = 0, total = 0;
  for (int b = 0; b < settings.blocks; b++) {
    float values[20];
    MPI_File_read_at(file, (b * settings.stride + rank) * 80, values, 20, MPI_FLOAT,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < 20; i++)
      sum += values[i] * settings.weight;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("text-config-file %.1f\n", total);
  MPI_Finalize();
  return 0;
}
