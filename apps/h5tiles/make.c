/* SPDX-License-Identifier: Apache-2.0 */
/* Mode make: all ranks write the file together, step by step, each rank its slab. */
#include "box.h"
#include "errors.h"
#include "field.h"
#include "modes.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kDeflateLevel = 4, kCyclesPerStep = 10 };
static const double kInterval = 0.25; /* of time, between two steps */

static hid_t createFile(const char *path) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  must(file >= 0, "create", path);
  H5Pclose(access);
  return file;
}

static hid_t createField(hid_t file, const hsize_t extent[], const struct Options *options) {
  const hsize_t chunk[] = {1, options->chunk[0], options->chunk[1], options->chunk[2]};
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER); /* every element is written */
  if (options->layout != LayoutContiguous)
    must(H5Pset_chunk(properties, kDimensions, chunk) >= 0, "set the chunks of", options->file);
  if (options->layout == LayoutCompressed)
    must(H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, kDeflateLevel) >= 0,
         "compress", options->file);
  const hid_t space = H5Screate_simple(kDimensions, extent, NULL);
  const hid_t field =
      H5Dcreate2(file, "field", H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  must(field >= 0, "create the field in", options->file);
  H5Sclose(space);
  H5Pclose(properties);
  return field;
}

static void attach(hid_t field, const char *name, const double *values, hsize_t count) {
  const hid_t space = H5Screate_simple(1, &count, NULL);
  const hid_t attribute = H5Acreate2(field, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
  must(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, values) >= 0, "attach", name);
  H5Aclose(attribute);
  H5Sclose(space);
}

/* The index tells after how many cycles of the simulation each step was taken. */
static void writeIndex(hid_t file, hsize_t steps, const struct Options *options) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long *cycles = memoryFor(steps, sizeof *cycles, options->file);
  for (hsize_t step = 0; step < steps; step++)
    cycles[step] = (long)step * kCyclesPerStep;
  const hid_t space = H5Screate_simple(1, &steps, NULL);
  const hid_t index =
      H5Dcreate2(file, "index", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  must(index >= 0, "create the index in", options->file);
  herr_t written = 0;
  if (rank == 0)
    written = H5Dwrite(index, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, cycles);
  must(written >= 0, "write the index of", options->file);
  H5Dclose(index);
  H5Sclose(space);
  free(cycles);
}

static void compute(double *values, const struct Box *slab, const double spacing[3]) {
  const double time = (double)slab->start[kStep] * kInterval;
  for (hsize_t x = 0; x < slab->count[kX]; x++)
    for (hsize_t y = 0; y < slab->count[kY]; y++)
      for (hsize_t z = 0; z < slab->count[kZ]; z++)
        *values++ = fieldAt(time, (double)(slab->start[kX] + x) * spacing[0],
                            (double)y * spacing[1], (double)z * spacing[2]);
}

static herr_t writeTogether(hid_t field, const struct Box *slab, const double *values) {
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE); /* as compressed chunks need it */
  const hid_t space = selected(field, slab), memory = inMemory(slab);
  const herr_t written = H5Dwrite(field, H5T_NATIVE_DOUBLE, memory, space, transfer, values);
  H5Sclose(memory);
  H5Sclose(space);
  H5Pclose(transfer);
  return written;
}

static void writeSteps(hid_t field, const hsize_t extent[], const double spacing[3],
                       const char *path) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct Box slab = slabOf(extent, 0, rank, ranks);
  double *values = memoryFor(elements(&slab), sizeof *values, path);
  for (hsize_t step = 0; step < extent[kStep]; step++) {
    slab = slabOf(extent, step, rank, ranks);
    compute(values, &slab, spacing);
    must(writeTogether(field, &slab, values) >= 0, "write a step of", path);
  }
  free(values);
}

void makeFile(const struct Options *options) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const hsize_t extent[] = {options->steps, options->size[0], options->size[1], options->size[2]};
  const double spacing[] = {1.0 / (double)extent[kX], 1.0 / (double)extent[kY],
                            1.0 / (double)extent[kZ]};
  const double time[] = {0, kInterval};
  const hid_t file = createFile(options->file);
  const hid_t field = createField(file, extent, options);
  attach(field, "spacing", spacing, 3);
  attach(field, "time", time, 2);
  writeIndex(file, extent[kStep], options);
  writeSteps(field, extent, spacing, options->file);
  must(H5Dclose(field) >= 0 && H5Fclose(file) >= 0, "close", options->file);
  if (rank == 0)
    printf("h5tiles: made %llu steps of %llu x %llu x %llu, %s\n",
           (unsigned long long)extent[kStep], (unsigned long long)extent[kX],
           (unsigned long long)extent[kY], (unsigned long long)extent[kZ],
           layoutName(options->layout));
}
