/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: assignment of whole structures, also through pointers and within arrays.
 * The slicer must see a copy of a structure as a copy of its offset field. */
#include <mpi.h>
#include <stdio.h>

struct Place {
  MPI_Offset offset;
  struct {
    int count, weight;
  } shape;
};

enum { kPlaces = 14, kValues = 500 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, values[64];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "struct-copy.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int i = 0; rank == 0 && i < kValues; i++) {
    values[0] = i * 7 % 47;
    MPI_File_write(file, values, 1, MPI_INT, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  struct Place places[kPlaces], spare, *last = &places[kPlaces - 1];
  for (int i = 0; i < kPlaces; i++) {
    struct Place place = {(i * 31 + rank) * 4, {10 + i, i % 3}};
    places[i] = place;
  }
  for (int i = 0; i < kPlaces / 2; i++) { /* in reverse order, shapes stay */
    spare = places[i];
    places[i] = last[-i];
    last[-i] = spare;
    places[i].shape = spare.shape;
  }
  MPI_File_open(MPI_COMM_WORLD, "struct-copy.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = 0, total = 0;
  for (int i = 0; i < kPlaces; i++) {
    struct Place now = places[i];
    MPI_File_read_at(file, now.offset, values, now.shape.count, MPI_INT, MPI_STATUS_IGNORE);
    for (int k = 0; k < now.shape.count; k++)
      sum += values[k] * now.shape.weight;
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("struct-copy %ld\n", total);
  MPI_Finalize();
  return 0;
}
