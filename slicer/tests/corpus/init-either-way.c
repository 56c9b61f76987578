/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: MPI is started in one of two places, which an argument decides.
 * The slicer must: start the pre-execution thread at whichever of them is executed. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kRows = 20, kColumns = 400 };

static double row[kColumns];

static void makeInput(const char *name) {
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  for (int r = 0; r < kRows; r++) {
    for (int i = 0; i < kColumns; i++)
      row[i] = r + i * 0.25;
    MPI_File_write(file, row, kColumns, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  const char *name = "init-either-way.dat";
  int rank, ranks, provided = MPI_THREAD_SINGLE;
  if (argc > 1 && strcmp(argv[1], "threads") == 0)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  else
    MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    makeInput(name);
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File file;
  double sum = 0, total = 0;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int r = rank; r < kRows; r += ranks) {
    MPI_File_read_at(file, (MPI_Offset)r * (MPI_Offset)sizeof row, row, kColumns, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kColumns; i++)
      sum += row[i] * (i % 4);
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("init-either-way %.0f %s\n", total,
           provided >= MPI_THREAD_FUNNELED ? "threads" : "no threads");
  MPI_Finalize();
  return 0;
}
