/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a recursive function gets a pointer to a local variable of its caller, which is itself in
 * another call: a tree of patches, each of which knows its parent; a sum that comes back through
 * pointers; names of patches made by a variadic helper on top of another. The slicer must not take
 * the variable of one call for that of another. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPatches = 121, kLength = 128, kLevels = 4, kChildren = 3 };

struct Patch {
  int level, number;
  const struct Patch *parent;
};

static MPI_File file;
static double sum;
static int rank;

static void list(char *text, size_t most, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  vsnprintf(text, most, format, again);
  va_end(again);
}

static long numberOf(const char *format, ...) {
  char text[64];
  va_list arguments;
  va_start(arguments, format);
  list(text, sizeof text, format, arguments);
  va_end(arguments);
  return atol(text);
}

static void count(int level, int *patches) {
  int below = 0;
  if (level + 1 < kLevels)
    count(level + 1, &below);
  *patches = 1 + kChildren * below;
}

static MPI_Offset placeOf(const struct Patch *patch) {
  const int from = patch->parent ? patch->parent->number : 0;
  return numberOf("%d%02d", from % 7, patch->number % 50) % kPatches * kLength *
         (MPI_Offset)sizeof(double);
}

static void visit(const struct Patch *patch) {
  double values[kLength];
  MPI_File_read_at(file, placeOf(patch), values, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  for (int i = 0; i < kLength; i++)
    sum += values[i] * (i % (patch->level + 2) + rank);
  if (patch->level + 1 == kLevels)
    return;
  struct Patch child;
  child.level = patch->level + 1;
  child.parent = patch;
  for (int i = 0; i < kChildren; i++) {
    child.number = patch->number * kChildren + i + 1;
    visit(&child);
  }
}

static void make(const char *name) {
  FILE *made = fopen(name, "wb");
  for (int i = 0; i < kPatches * kLength; i++) {
    const double value = i * 0.25;
    fwrite(&value, sizeof value, 1, made);
  }
  fclose(made);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    make("recursion-by-pointer.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, "recursion-by-pointer.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  int patches;
  count(0, &patches);
  for (int root = 0; root * 40 < 3 * patches; root++) {
    const struct Patch patch = {0, root, NULL};
    visit(&patch);
  }
  MPI_File_close(&file);
  double total;
  MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("recursion-by-pointer %.2f\n", total);
  MPI_Finalize();
  return 0;
}
