/* SPDX-License-Identifier: Apache-2.0 */
/** \file
 * program FILE [abort]: reads numbers by MPI-IO, and prints their sum and how many MPI libraries there are
 * in the process. `late.c` loads it as a library.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma weak MPI_File_read_at_c

static int is_of_mpi(const char *path) {
  const char *const name = strrchr(path, '/');
  return name != NULL && strstr(name, ".so") != NULL &&
         (strncmp(name, "/libmpi", 7) == 0 || strncmp(name, "/libmpich", 9) == 0);
}

static int libraries_of_mpi(void) {
  char line[4096], last[4096] = "";
  int count = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char *const path = strchr(line, '/');
    if (path == NULL || !is_of_mpi(path) || strcmp(path, last) == 0)
      continue;
    strcpy(last, path);
    count++;
  }
  fclose(maps);
  return count;
}

int main(int argc, char **argv) {
  MPI_File file;
  MPI_Status status;
  int level, rank, numbers[8], sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  for (int i = 0; i < 4; i++) {
    MPI_File_read_at(file, 32 * i, numbers, 8, MPI_INT, &status);
    for (int k = 0; k < 8; k++)
      sum += numbers[k] << i;
  }
  /* As mpi4py does where the library has it. */
  if (MPI_File_read_at_c != NULL) {
    MPI_File_read_at_c(file, 0, numbers, 8, MPI_INT, &status);
    sum += numbers[7] - numbers[6] - 1;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_close(&file);
  printf("sum %d, level %s, MPI libraries: %d\n", sum,
         level == MPI_THREAD_MULTIPLE ? "multiple" : "another", libraries_of_mpi());
  fflush(stdout);
  if (argc > 2)
    MPI_Abort(MPI_COMM_WORLD, 6);
  return MPI_Finalize();
}
