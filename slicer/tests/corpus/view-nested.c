/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a view is taken from the file, changed and set again, as libraries do that save their
 * caller's. Its type is nested a hundred levels deep, by each constructor that can leave a type as it
 * is. The slicer must hand the type over, and the pre-execution thread take it apart level by level. */
#include <mpi.h>
#include <stdio.h>

enum { kNumbers = 60000, kPart = 80, kLevels = 100, kReads = 60 };

static int numbers[kNumbers], part[kPart];

static MPI_Datatype wrapped(MPI_Datatype inner, int kind) {
  int one = 1, none = 0;
  MPI_Aint start = 0, lower, extent;
  MPI_Datatype made;
  MPI_Type_get_extent(inner, &lower, &extent);
  switch (kind) {
  case 0:
    MPI_Type_dup(inner, &made);
    break;
  case 1:
    MPI_Type_contiguous(1, inner, &made);
    break;
  case 2:
    MPI_Type_create_resized(inner, lower, extent, &made);
    break;
  case 3:
    MPI_Type_vector(1, 1, 7, inner, &made);
    break;
  case 4:
    MPI_Type_create_hindexed(1, &one, &start, inner, &made);
    break;
  case 5:
    MPI_Type_create_subarray(1, &one, &one, &none, MPI_ORDER_C, inner, &made);
    break;
  default:
    MPI_Type_create_struct(1, &one, &start, &inner, &made);
  }
  return made;
}

static MPI_Datatype nested(void) {
  MPI_Datatype type, outer;
  MPI_Type_vector(20, 4, 6, MPI_INT, &type);
  for (int i = 0; i < kLevels; i++) {
    outer = wrapped(type, i % 7);
    MPI_Type_free(&type);
    type = outer;
  }
  MPI_Type_commit(&type);
  return type;
}

static long sumOf(const int *all) {
  long sum = 0;
  for (int k = 1; k < 20000; k++)
    for (int i = 0; i < kPart; i++)
      sum += (long)all[i] * (i + k) % 1013;
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "view-nested.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (int i = 0; i < kNumbers; i++)
    numbers[i] = i * 7 % 4099;
  if (rank == 0)
    MPI_File_write(file, numbers, kNumbers, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);

  MPI_File_open(MPI_COMM_WORLD, "view-nested.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  MPI_Datatype own = nested(), element, tile, again;
  MPI_Offset place;
  char representation[MPI_MAX_DATAREP_STRING];
  MPI_File_set_view(file, 0, MPI_INT, own, "native", MPI_INFO_NULL);
  MPI_File_get_view(file, &place, &element, &tile, representation);
  MPI_Type_dup(tile, &again);
  MPI_Type_commit(&again);
  MPI_File_set_view(file, place + 16, element, again, representation, MPI_INFO_NULL);
  long sum = 0, total = 0;
  for (int k = 0; k < kReads; k++) {
    MPI_File_read_at(file, (k * 5 + rank) % 300 * 4, part, kPart, MPI_INT, MPI_STATUS_IGNORE);
    sum += sumOf(part);
  }
  MPI_Type_free(&own);
  MPI_Type_free(&tile);
  MPI_Type_free(&again);
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("view-nested %ld\n", total);
  MPI_Finalize();
  return 0;
}
