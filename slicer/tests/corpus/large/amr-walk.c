/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a tree of refined patches in a file: each node has its children's offsets in the file,
 * and the walk refines where a criterion says so; patches are read on the way.
 *
 * The slicer must fetch the nodes (their children's offsets decide what comes next), keep the
 * criterion that depends on geometry, and prefetch the patches without computing on them. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kChildren = 4, kEdge = 6, kCells = kEdge * kEdge, kMostDepth = 5, kMostQueue = 2048 };

struct Node {
  long children[kChildren]; /* offsets; 0: a leaf */
  long patch;               /* offset of the values */
  float x, y, size;
  int depth;
};

struct Region {
  float x, y, radius;
};

/* ---- making the file ---- */

struct Maker {
  FILE *out;
  long end;
  int nodes;
};

static int isRefined(float x, float y, float size, int depth) {
  float dx = x + size / 2 - 0.3f, dy = y + size / 2 - 0.6f;
  float distance = sqrtf(dx * dx + dy * dy);
  return depth < 2 || (depth < kMostDepth && fabsf(distance - 0.25f) < size * 0.6f);
}

static long reserved(struct Maker *maker, long bytes) {
  long at = maker->end;
  maker->end += bytes;
  return at;
}

static void putPatch(struct Maker *maker, long at, const struct Node *node) {
  double cells[kCells];
  for (int i = 0; i < kCells; i++)
    cells[i] = node->depth * 100 + (maker->nodes * 5 + i) % 23;
  fseek(maker->out, at, SEEK_SET);
  fwrite(cells, sizeof cells, 1, maker->out);
}

static long putNode(struct Maker *maker, float x, float y, float size, int depth) {
  struct Node node = {.x = x, .y = y, .size = size, .depth = depth};
  long at = reserved(maker, (long)sizeof node);
  maker->nodes++;
  node.patch = reserved(maker, kCells * (long)sizeof(double));
  putPatch(maker, node.patch, &node);
  if (isRefined(x, y, size, depth))
    for (int c = 0; c < kChildren; c++)
      node.children[c] = putNode(maker, x + (float)(c % 2) * size / 2,
                                 y + (float)(c / 2) * size / 2, size / 2, depth + 1);
  fseek(maker->out, at, SEEK_SET);
  fwrite(&node, sizeof node, 1, maker->out);
  return at;
}

static void makeTree(const char *path) {
  struct Maker maker = {fopen(path, "wb"), 64, 0};
  if (!maker.out)
    MPI_Abort(MPI_COMM_WORLD, 1);
  long root = putNode(&maker, 0, 0, 1, 0);
  fseek(maker.out, 0, SEEK_SET);
  fwrite(&root, sizeof root, 1, maker.out);
  fclose(maker.out);
}

/* ---- what is computed on patches ---- */

struct Analysis {
  double mass, largest;
  double massAt[kMostDepth + 1]; /* by depth */
  long patches, refined;
};

static void analyse(struct Analysis *analysis, const struct Node *node, const double *cells) {
  double area = (double)node->size * node->size / kCells;
  for (int i = 0; i < kCells; i++) {
    analysis->mass += cells[i] * area;
    analysis->massAt[node->depth] += cells[i] * area;
    analysis->largest = fmax(analysis->largest, cells[i]);
  }
  analysis->patches++;
}

/* A gradient, only to have something that costs time. */
static double steepness(const double *cells) {
  double steepest = 0;
  for (int i = 1; i < kEdge - 1; i++)
    for (int j = 1; j < kEdge - 1; j++) {
      double dx = cells[i * kEdge + j + 1] - cells[i * kEdge + j - 1];
      double dy = cells[(i + 1) * kEdge + j] - cells[(i - 1) * kEdge + j];
      steepest = fmax(steepest, dx * dx + dy * dy);
    }
  return steepest;
}

/* ---- walking ---- */

static MPI_File file;

static void readNode(long at, struct Node *node) {
  MPI_File_read_at(file, at, node, (int)sizeof *node, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void readPatch(const struct Node *node, double *cells) {
  MPI_File_read_at(file, node->patch, cells, kCells, MPI_DOUBLE, MPI_STATUS_IGNORE);
}

static int touches(const struct Node *node, const struct Region *region) {
  float nearX = fminf(fmaxf(region->x, node->x), node->x + node->size) - region->x;
  float nearY = fminf(fmaxf(region->y, node->y), node->y + node->size) - region->y;
  return nearX * nearX + nearY * nearY <= region->radius * region->radius;
}

/* Depth first, by recursion. */
static void walk(long at, const struct Region *region, int mostDepth, struct Analysis *analysis) {
  struct Node node;
  double cells[kCells];
  readNode(at, &node);
  if (!touches(&node, region))
    return;
  if (!node.children[0] || node.depth >= mostDepth) {
    readPatch(&node, cells);
    analyse(analysis, &node, cells);
    if (steepness(cells) > 100)
      analysis->refined++;
    return;
  }
  for (int c = 0; c < kChildren; c++)
    walk(node.children[c], region, mostDepth, analysis);
}

/* Breadth first, by a queue of offsets; every rank takes its share of each level. */
static void sweep(long root, int level, int rank, int ranks, struct Analysis *analysis) {
  long *queue = malloc(kMostQueue * sizeof *queue);
  int head = 0, tail = 0, turn = 0;
  queue[tail++] = root;
  while (head < tail) {
    struct Node node;
    readNode(queue[head++], &node);
    if (node.depth == level) {
      if (turn++ % ranks == rank) {
        double cells[kCells];
        readPatch(&node, cells);
        analyse(analysis, &node, cells);
      }
      continue;
    }
    for (int c = 0; c < kChildren && node.children[c]; c++)
      if (tail < kMostQueue)
        queue[tail++] = node.children[c];
  }
  free(queue);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    makeTree("amr-walk.tree");
  MPI_Barrier(MPI_COMM_WORLD);

  MPI_File_open(MPI_COMM_WORLD, "amr-walk.tree", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long root;
  MPI_File_read_at(file, 0, &root, 1, MPI_LONG, MPI_STATUS_IGNORE);
  struct Analysis analysis = {0};
  const struct Region regions[] = {{0.3f, 0.6f, 0.1f}, {0.9f, 0.1f, 0.2f}, {0.5f, 0.5f, 0.05f}};
  for (int r = 0; r < 3; r++) {
    struct Region region = regions[(r + rank) % 3];
    region.radius *= 1 + (float)rank / 8;
    walk(root, &region, 3 + r % 2, &analysis);
  }
  for (int level = 1; level <= 3; level++)
    sweep(root, level, rank, ranks, &analysis);
  MPI_File_close(&file);

  double most = 0, mass = 0, massAt[kMostDepth + 1];
  long counts[2] = {analysis.patches, analysis.refined}, all[2];
  MPI_Reduce(&analysis.mass, &mass, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&analysis.largest, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(analysis.massAt, massAt, kMostDepth + 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(counts, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("amr-walk: mass %.4f, largest %.0f, %ld patches, %ld steep\n", mass, most, all[0],
           all[1]);
  for (int depth = 0; rank == 0 && depth <= kMostDepth; depth++)
    printf("depth %d: %.4f\n", depth, massAt[depth]);
  MPI_Finalize();
  return 0;
}
