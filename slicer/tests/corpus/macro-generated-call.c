/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: functions and calls whose names are pasted together, tables made by X macros.
 * The slicer must print what has no text of its own in the file. */
#include <mpi.h>
#include <stdio.h>

#define KINDS(X)                                                                                   \
  X(Int, int, MPI_INT, 40)                                                                         \
  X(Double, double, MPI_DOUBLE, 24)                                                                \
  X(Short, short, MPI_SHORT, 60)

#define BASE(name, type, mpi, count) kBase##name,
enum { KINDS(BASE) kKinds };

#define READER(name, type, mpi, count)                                                             \
  static double read##name(MPI_File file, MPI_Offset offset) {                                     \
    type values[count];                                                                            \
    MPI_File_read_at(file, offset, values, count, mpi, MPI_STATUS_IGNORE);                         \
    double sum = 0;                                                                                \
    for (int i = 0; i < count; i++)                                                                \
      sum += (double)values[i];                                                                    \
    return sum;                                                                                    \
  }                                                                                                \
  static void write##name(MPI_File file, MPI_Offset offset) {                                      \
    type values[count];                                                                            \
    for (int i = 0; i < count; i++)                                                                \
      values[i] = (type)(i % 11 + (int)(offset % 13));                                             \
    MPI_File_write_at(file, offset, values, count, mpi, MPI_STATUS_IGNORE);                        \
  }
KINDS(READER)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "macro-generated-call.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
#define WRITE(name, type, mpi, count)                                                              \
  if (rank == 0)                                                                                   \
    for (int i = kBase##name; i < 24; i += kKinds)                                                 \
      write##name(file, i * 256);
  KINDS(WRITE)
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "macro-generated-call.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);

  double sum = 0, total = 0;
#define READ(name, type, mpi, count)                                                               \
  case kBase##name:                                                                                \
    sum += read##name(file, i * 256);                                                              \
    break;
  for (int i = rank % 24; i < 24; i++)
    switch (i % kKinds) { KINDS(READ) }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("macro-generated-call %.0f\n", total);
  MPI_Finalize();
  return 0;
}
