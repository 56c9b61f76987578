/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a resized structure type as filetype: one field of each record, read at the pointer.
 * The slicer must keep displacements and extents. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

struct Particle {
  double position[3];
  float mass;
  int number;
};

enum { kParticles = 120 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "view-resized.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                MPI_INFO_NULL, &file);
  for (int p = rank; p < kParticles; p += ranks) {
    struct Particle particle = {{p, p * 2, p % 7}, (float)p / 2, p * 3};
    MPI_File_write_at(file, p * (MPI_Offset)sizeof particle, &particle, (int)sizeof particle,
                      MPI_BYTE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  MPI_Datatype block, field;
  int lengths[2] = {1, 1};
  MPI_Aint places[2] = {offsetof(struct Particle, mass), offsetof(struct Particle, number)};
  MPI_Datatype types[2] = {MPI_FLOAT, MPI_INT};
  MPI_Type_create_struct(2, lengths, places, types, &block);
  MPI_Type_create_resized(block, 0, sizeof(struct Particle), &field);
  MPI_Type_commit(&field);
  MPI_Type_free(&block);

  MPI_File_open(MPI_COMM_WORLD, "view-resized.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, rank * 10 * (MPI_Offset)sizeof(struct Particle), MPI_BYTE, field,
                    "native", MPI_INFO_NULL);
  double sum = 0, total = 0;
  for (int i = 0; i < 8; i++) {
    struct {
      float mass;
      int number;
    } pairs[10];
    MPI_File_read(file, pairs, (int)sizeof pairs, MPI_BYTE, MPI_STATUS_IGNORE);
    for (int k = 0; k < 10; k++)
      sum += pairs[k].mass * (float)pairs[k].number;
  }
  MPI_File_close(&file);
  MPI_Type_free(&field);
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("view-resized %.1f\n", total);
  MPI_Finalize();
  return 0;
}
