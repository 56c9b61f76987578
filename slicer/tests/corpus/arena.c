/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: the list of what is read, and what is read, are pieces of one arena, which is emptied
 * after each step; a second one grows by chunks and clears what it gives. The slicer must tell the
 * pieces apart: the bytes that are read decide nothing. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kLength = 64, kBlocks = 120, kSteps = 3, kTurns = 200 };

typedef struct {
  unsigned char *base;
  size_t used, all;
} Arena;

static void *take(Arena *arena, size_t bytes) {
  size_t at = (arena->used + 15) & ~(size_t)15;
  if (at + bytes > arena->all) {
    fprintf(stderr, "the arena is full\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  arena->used = at + bytes;
  return arena->base + at;
}

typedef struct Chunk {
  struct Chunk *next;
  size_t used;
  char room[1 << 14];
} Chunk;
static Chunk *chunks;

static void *takeCleared(size_t bytes) {
  if (!chunks || chunks->used + bytes > sizeof chunks->room) {
    Chunk *chunk = malloc(sizeof *chunk);
    chunk->next = chunks;
    chunk->used = 0;
    chunks = chunk;
  }
  char *piece = chunks->room + chunks->used;
  chunks->used += (bytes + 15) / 16 * 16;
  memset(piece, 0, bytes);
  return piece;
}

typedef struct Item {
  int block, weight;
  struct Item *next;
} Item;

static double worth(const double *values, double *scratch) {
  double sum = 0;
  for (int i = 0; i < kLength; i++)
    scratch[i] = values[i] + (i > 0 ? scratch[i - 1] : 0);
  for (int turn = 0; turn < kTurns; turn++)
    for (int i = 0; i < kLength; i++)
      sum += sqrt(scratch[i] + turn);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "arena.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  double block[kLength];
  for (int b = 0; rank == 0 && b < kBlocks; b++) {
    for (int i = 0; i < kLength; i++)
      block[i] = b + i % 7;
    MPI_File_write(file, block, kLength, MPI_DOUBLE, MPI_STATUS_IGNORE);
  }
  MPI_File_close(&file);

  Arena arena = {malloc(1 << 20), 0, 1 << 20};
  MPI_File_open(MPI_COMM_WORLD, "arena.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  double *totals = takeCleared(kSteps * sizeof *totals);
  for (int step = 0; step < kSteps; step++) {
    arena.used = 0;
    Item *items = NULL;
    for (int n = 0; n < 40; n++) {
      Item *item = n % 2 ? take(&arena, sizeof *item) : takeCleared(sizeof *item);
      item->block = (n * 17 + step * 5 + rank) % kBlocks;
      if (n % 2)
        item->weight = 1;
      else
        item->weight += n;
      item->next = items;
      items = item;
    }
    double *values = take(&arena, kLength * sizeof *values);
    double *scratch = take(&arena, kLength * sizeof *scratch);
    for (const Item *each = items; each; each = each->next) {
      MPI_File_read_at(file, each->block * (MPI_Offset)sizeof block, values, kLength, MPI_DOUBLE,
                       MPI_STATUS_IGNORE);
      totals[step] += worth(values, scratch) * each->weight;
    }
  }
  MPI_File_close(&file);
  double mine = totals[0] + 2 * totals[1] + 3 * totals[2], all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("arena %.3f\n", all);
  free(arena.base);
  while (chunks) {
    Chunk *next = chunks->next;
    free(chunks);
    chunks = next;
  }
  MPI_Finalize();
  return 0;
}
