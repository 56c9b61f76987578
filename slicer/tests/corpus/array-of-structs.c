/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: an array of structures with offsets among fields that only the computation uses.
 * The slicer must keep stores to the offset fields and leave out those to the results. */
#include <mpi.h>
#include <stdio.h>

struct Task {
  int first, count;
  double result;
  char name[8];
};

enum { kTasks = 12, kValues = 400 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double values[kValues];
  for (int i = 0; i < kValues; i++)
    values[i] = i % 29;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "array-of-structs.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  if (rank == ranks - 1)
    MPI_File_write_at(file, 0, values, kValues, MPI_DOUBLE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  struct Task tasks[kTasks];
  for (int t = 0; t < kTasks; t++) {
    tasks[t].first = t * 30 + rank;
    tasks[t].count = 10 + t;
    tasks[t].result = 0;
    snprintf(tasks[t].name, sizeof tasks[t].name, "task%d", t);
  }
  tasks[3].first = tasks[7].first;
  MPI_File_open(MPI_COMM_WORLD, "array-of-structs.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (struct Task *task = tasks; task < tasks + kTasks; task++) {
    MPI_File_read_at(file, task->first * (MPI_Offset)sizeof *values, values, task->count,
                     MPI_DOUBLE, MPI_STATUS_IGNORE);
    for (int i = 0; i < task->count; i++)
      task->result += values[i] * task->name[4];
  }
  MPI_File_close(&file);

  double sum = 0, total = 0;
  for (int t = 0; t < kTasks; t++)
    sum += tasks[t].result;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("array-of-structs %.0f\n", total);
  MPI_Finalize();
  return 0;
}
