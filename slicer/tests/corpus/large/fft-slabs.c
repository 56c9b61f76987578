/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a three-dimensional field in a file, in slabs over the ranks, one FFT of each plane, a
 * transposition by all-to-all, and a second pass over pencils through a vector view.
 *
 * The slicer must keep the distribution of slabs and the view, drop FFTs and the all-to-all (what
 * is exchanged is data, not addresses), and keep going over several fields and time steps. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kEdge = 16, kFields = 2, kSteps = 3, kPlane = kEdge * kEdge };

typedef double complex Number;

struct Slabs {
  int first, count;
};

struct Plan {
  Number roots[kEdge];
  int reversed[kEdge];
};

static int rank, ranks;

/* ---- the file: time steps of fields of planes ---- */

static MPI_Offset planeOffset(int step, int field, int plane) {
  MPI_Offset planes = ((MPI_Offset)step * kFields + field) * kEdge + plane;
  return planes * kPlane * (MPI_Offset)sizeof(double);
}

static double valueOf(int step, int field, int z, int i) {
  return (double)((z * 31 + i * (field + 3) + step * 17) % 32) - 16;
}

static void makeInput(const char *path) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  double *plane = malloc(kPlane * sizeof *plane);
  for (int step = 0; step < kSteps; step++)
    for (int field = 0; field < kFields; field++)
      for (int z = rank; z < kEdge; z += ranks) {
        for (int i = 0; i < kPlane; i++)
          plane[i] = valueOf(step, field, z, i);
        MPI_File_write_at(file, planeOffset(step, field, z), plane, kPlane, MPI_DOUBLE,
                          MPI_STATUS_IGNORE);
      }
  free(plane);
  MPI_File_close(&file);
}

static struct Slabs slabsOf(int who) {
  return (struct Slabs){kEdge * who / ranks, kEdge * (who + 1) / ranks - kEdge * who / ranks};
}

/* ---- FFT ---- */

static void makePlan(struct Plan *plan) {
  for (int i = 0; i < kEdge; i++) {
    plan->roots[i] = cexp(-2 * M_PI * I * i / kEdge);
    plan->reversed[i] = 0;
    for (int bit = 1; bit < kEdge; bit *= 2)
      plan->reversed[i] = plan->reversed[i] * 2 + (i / bit & 1);
  }
}

static void transform(const struct Plan *plan, Number *values, int stride) {
  for (int i = 0; i < kEdge; i++) {
    int other = plan->reversed[i];
    if (i < other) {
      Number value = values[i * stride];
      values[i * stride] = values[other * stride];
      values[other * stride] = value;
    }
  }
  for (int length = 2; length <= kEdge; length *= 2)
    for (int start = 0; start < kEdge; start += length)
      for (int i = 0; i < length / 2; i++) {
        Number *low = &values[(start + i) * stride], *high = low + length / 2 * stride;
        Number turned = *high * plan->roots[i * kEdge / length];
        *high = *low - turned;
        *low += turned;
      }
}

static void transformPlane(const struct Plan *plan, Number *plane) {
  for (int row = 0; row < kEdge; row++)
    transform(plan, plane + row * kEdge, 1);
  for (int column = 0; column < kEdge; column++)
    transform(plan, plane + column, kEdge);
}

/* ---- the first pass: slabs ---- */

static void readSlab(MPI_File file, int step, int field, struct Slabs slabs, Number *work) {
  double plane[kPlane];
  for (int z = 0; z < slabs.count; z++) {
    MPI_File_read_at(file, planeOffset(step, field, slabs.first + z), plane, kPlane, MPI_DOUBLE,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < kPlane; i++)
      work[z * kPlane + i] = plane[i];
  }
}

/* From slabs in z to slabs in y: everybody sends everybody a block. */
static void transpose(const Number *slab, struct Slabs mine, Number *pencils) {
  int *counts = malloc((size_t)ranks * 4 * sizeof *counts);
  int *starts = counts + ranks, *gotCounts = counts + 2 * ranks, *gotStarts = counts + 3 * ranks;
  Number *packed = malloc((size_t)(mine.count * kPlane + 1) * sizeof *packed);
  int at = 0, got = 0;
  for (int to = 0; to < ranks; to++) {
    struct Slabs theirs = slabsOf(to);
    starts[to] = 2 * at;
    for (int z = 0; z < mine.count; z++)
      for (int y = theirs.first; y < theirs.first + theirs.count; y++)
        for (int x = 0; x < kEdge; x++)
          packed[at++] = slab[z * kPlane + y * kEdge + x];
    counts[to] = 2 * at - starts[to];
    gotStarts[to] = 2 * got;
    got += theirs.count * mine.count * kEdge;
    gotCounts[to] = 2 * got - gotStarts[to];
  }
  MPI_Alltoallv(packed, counts, starts, MPI_DOUBLE, pencils, gotCounts, gotStarts, MPI_DOUBLE,
                MPI_COMM_WORLD);
  free(packed);
  free(counts);
}

static double power(const Number *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += creal(values[i] * conj(values[i]));
  return sum;
}

/* How much of the power each wave number in x has; x is what runs fastest in every block. */
static void addSpectrum(const Number *pencils, int n, double *spectrum) {
  for (int i = 0; i < n; i++) {
    int x = i % kEdge;
    spectrum[x <= kEdge / 2 ? x : kEdge - x] += creal(pencils[i] * conj(pencils[i]));
  }
}

static int strongest(const double *spectrum) {
  int found = 1; /* 0 is the mean */
  for (int wave = 2; wave <= kEdge / 2; wave++)
    if (spectrum[wave] > spectrum[found] * 1.000001)
      found = wave;
  return found;
}

/* ---- the second pass: pencils straight from the file, to check the sums ---- */

static double pencilSum(MPI_File file, int step, int field, struct Slabs mine) {
  MPI_Datatype rows;
  MPI_Type_vector(kEdge, mine.count * kEdge, kPlane, MPI_DOUBLE, &rows);
  MPI_Type_commit(&rows);
  MPI_File_set_view(file, planeOffset(step, field, 0) + mine.first * kEdge * 8, MPI_DOUBLE, rows,
                    "native", MPI_INFO_NULL);
  MPI_Type_free(&rows);
  int count = mine.count * kEdge * kEdge;
  double *values = malloc((size_t)(count + 1) * sizeof *values), sum = 0;
  MPI_File_read_all(file, values, count, MPI_DOUBLE, MPI_STATUS_IGNORE);
  for (int i = 0; i < count; i++)
    sum += values[i] * values[i];
  free(values);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  makeInput("fft-slabs.field");

  struct Plan plan;
  makePlan(&plan);
  struct Slabs mine = slabsOf(rank);
  Number *slab = malloc((size_t)(mine.count * kPlane + 1) * sizeof *slab);
  Number *pencils = malloc((size_t)(mine.count * kPlane + 1) * sizeof *pencils);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "fft-slabs.field", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double sums[2] = {0, 0}, all[2], spectrum[kEdge / 2 + 1] = {0}, allWaves[kEdge / 2 + 1];
  for (int step = 0; step < kSteps; step++)
    for (int field = 0; field < kFields; field++) {
      MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
      readSlab(file, step, field, mine, slab);
      for (int z = 0; z < mine.count; z++)
        transformPlane(&plan, slab + z * kPlane);
      transpose(slab, mine, pencils);
      sums[0] += power(pencils, mine.count * kPlane) / kPlane;
      addSpectrum(pencils, mine.count * kPlane, spectrum);
      sums[1] += pencilSum(file, step, field, mine);
    }
  MPI_File_close(&file);
  free(pencils);
  free(slab);

  MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(spectrum, allWaves, kEdge / 2 + 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) /* Parseval: both are the same */
    printf("fft-slabs %.3f %.3f, strongest wave %d\n", all[0], all[1], strongest(allWaves));
  MPI_Finalize();
  return 0;
}
