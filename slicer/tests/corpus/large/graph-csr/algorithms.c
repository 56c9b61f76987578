/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- breadth first: what is read next is what was found in what was read ---- */

typedef struct {
  int *marks;
} Found;

static void markNeighbours(void *context, const Adjacency *adjacency) {
  Found *found = context;
  for (int i = 0; i < adjacency->degree; i++)
    found->marks[adjacency->neighbours[i]] = 1;
}

int breadthFirst(Graph *graph, int source, int *levels) {
  int n = vertexCount(graph), first = firstOwned(graph), owned = ownedCount(graph), level = 0;
  int *marks = calloc((size_t)n, sizeof *marks), *frontier = malloc((size_t)n * sizeof *frontier);
  for (int v = 0; v < n; v++)
    levels[v] = -1;
  levels[source] = 0;
  for (int more = 1; more; level++) {
    int count = 0;
    for (int v = first; v < first + owned; v++)
      if (levels[v] == level)
        frontier[count++] = v;
    memset(marks, 0, (size_t)n * sizeof *marks);
    Found found = {marks};
    forVertices(graph, frontier, count, markNeighbours, &found);
    MPI_Allreduce(MPI_IN_PLACE, marks, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    more = 0;
    for (int v = 0; v < n; v++)
      if (marks[v] && levels[v] < 0) {
        levels[v] = level + 1;
        more = 1;
      }
  }
  free(frontier);
  free(marks);
  return level;
}

/* ---- page rank: everything is read in every round ---- */

typedef struct {
  const double *before;
  double *after;
} Ranks;

static void spread(void *context, const Adjacency *adjacency) {
  Ranks *ranks = context;
  double part = ranks->before[adjacency->vertex] / adjacency->degree;
  for (int i = 0; i < adjacency->degree; i++)
    ranks->after[adjacency->neighbours[i]] += part;
}

double rankPages(Graph *graph, int rounds) {
  int n = vertexCount(graph);
  double *before = malloc((size_t)n * sizeof *before), *after = malloc((size_t)n * sizeof *after);
  for (int v = 0; v < n; v++)
    before[v] = 1.0 / n;
  for (int round = 0; round < rounds; round++) {
    memset(after, 0, (size_t)n * sizeof *after);
    Ranks ranks = {before, after};
    forOwnedVertices(graph, spread, &ranks);
    MPI_Allreduce(MPI_IN_PLACE, after, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int v = 0; v < n; v++)
      after[v] = 0.15 / n + 0.85 * after[v];
    double *other = before;
    before = after;
    after = other;
  }
  double largest = 0;
  for (int v = 0; v < n; v++)
    largest = before[v] > largest ? before[v] : largest;
  free(before);
  free(after);
  return largest;
}

/* ---- triangles: neighbours of neighbours ---- */

typedef struct {
  Graph *graph;
  const Adjacency *outer;
  long count;
} Triangles;

static int contains(const Adjacency *adjacency, int vertex) {
  int low = 0, high = adjacency->degree;
  while (low < high) {
    int middle = (low + high) / 2;
    if (adjacency->neighbours[middle] < vertex)
      low = middle + 1;
    else
      high = middle;
  }
  return low < adjacency->degree && adjacency->neighbours[low] == vertex;
}

static void closeTriangles(void *context, const Adjacency *inner) {
  Triangles *triangles = context;
  for (int i = 0; i < inner->degree; i++)
    triangles->count += contains(triangles->outer, inner->neighbours[i]);
}

static void lookAround(void *context, const Adjacency *adjacency) {
  Triangles *triangles = context;
  if (adjacency->vertex % 16 != 3)
    return;
  triangles->outer = adjacency;
  forVertices(triangles->graph, adjacency->neighbours, adjacency->degree, closeTriangles,
              triangles);
}

long countTriangles(Graph *graph) {
  Triangles triangles = {graph, NULL, 0};
  forOwnedVertices(graph, lookAround, &triangles);
  return triangles.count;
}
