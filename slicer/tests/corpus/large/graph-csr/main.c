/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a graph in compressed rows over four units, with an opaque type and visitors: page rank
 * (reads that do not depend on data but through the index), breadth first search and triangles
 * (reads that do).
 *
 * The slicer must fetch the index, prefetch for page rank without computing ranks, and fetch the
 * edges that decide what is read next, or announce less of these two. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>

enum { kVertices = 300, kRounds = 4 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeGraph("graph-csr", kVertices);
  MPI_Barrier(MPI_COMM_WORLD);

  Graph *graph = openGraph("graph-csr", MPI_COMM_WORLD);
  double largest = rankPages(graph, kRounds);
  int *levels = malloc((size_t)vertexCount(graph) * sizeof *levels);
  int depth = breadthFirst(graph, 5, levels);
  long triangles = countTriangles(graph), all = 0, reached = 0;
  for (int v = 0; v < vertexCount(graph); v++)
    reached += levels[v] >= 0 ? levels[v] + 1 : 0;
  free(levels);
  closeGraph(graph);

  MPI_Reduce(&triangles, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("graph-csr: rank %.8f, depth %d, reached %ld, triangles %ld\n", largest, depth, reached,
           all);
  MPI_Finalize();
  return 0;
}
