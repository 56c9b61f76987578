/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a tree is built from records that hold the offsets of their children, depth first.
 * The slicer must fetch each record for the offsets in it; the thread is never ahead of the
 * program, and must not slow it down. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kChildren = 6, kApart = 4096, kNodes = 1 + 6 + 36 + 216 };

struct Record {
  long id;
  int children, grade;
  long at[kChildren];
};

struct Node {
  struct Record record;
  struct Node *child[kChildren];
};

static MPI_File file;

/* The records lie in an order of their own: the n-th is at place n * 100 modulo their number, which
 * is prime to it. */
static long placeOf(long id) { return id * 100 % kNodes * kApart; }

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (long id = 0; id < kNodes; id++) {
    struct Record record = {id, 0, (int)(id % 7) + 1, {0}};
    for (long child = id * kChildren + 1; child <= (id + 1) * kChildren && child < kNodes; child++)
      record.at[record.children++] = placeOf(child);
    fseek(out, placeOf(id), SEEK_SET);
    fwrite(&record, sizeof record, 1, out);
  }
  fclose(out);
}

static struct Node *build(long at) {
  struct Node *node = malloc(sizeof *node);
  MPI_File_read_at(file, at, &node->record, sizeof node->record, MPI_BYTE, MPI_STATUS_IGNORE);
  for (int i = 0; i < node->record.children; i++)
    node->child[i] = build(node->record.at[i]);
  return node;
}

static long sumUp(struct Node *node) {
  long sum = node->record.id * node->record.grade;
  for (int i = 0; i < node->record.children; i++)
    sum += sumUp(node->child[i]);
  free(node);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("tree-building.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_open(MPI_COMM_WORLD, "tree-building.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long sum = sumUp(build(0)), total = 0;
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("tree-building %ld\n", total);
  MPI_Finalize();
  return 0;
}
