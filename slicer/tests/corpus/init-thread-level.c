/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the level that MPI_Init_thread gives, and what MPI says of threads later, decide which file
 * is opened and what is read of it; argc and argv go through MPI_Init_thread.
 * The slicer must: hand over the level that the program is told, not the one that Forerun asks for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLength = 64, kBlocks = 24 };

static int level;

static void makeInput(const char *name, int scale) {
  int values[kLength];
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int b = 0; b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      values[i] = b * scale + i;
    MPI_File_write(file, values, kLength, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  int required = argc > 1 ? atoi(argv[1]) : MPI_THREAD_SINGLE, rank, told, isMain;
  if (MPI_Init_thread(&argc, &argv, required, &level) != MPI_SUCCESS)
    return EXIT_FAILURE;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    makeInput("init-thread-level-low.dat", 3);
    makeInput("init-thread-level-high.dat", 5);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Query_thread(&told);
  MPI_Is_thread_main(&isMain);

  int values[kLength];
  long sum = 0, total = 0;
  for (int round = 0; round < 1 + level; round++) {
    MPI_File file;
    const char *name =
        level < MPI_THREAD_SERIALIZED ? "init-thread-level-low.dat" : "init-thread-level-high.dat";
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    for (int b = told * isMain; b < kBlocks; b += 1 + level) {
      MPI_File_read_at(file, b * (MPI_Offset)sizeof values, values, kLength, MPI_INT,
                       MPI_STATUS_IGNORE);
      for (int i = 0; i < kLength; i++)
        sum += values[i] * (i % 5);
    }
    MPI_File_close(&file);
  }
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("init-thread-level %ld %d %d %d\n", total, level, told, isMain);
  MPI_Finalize();
}
