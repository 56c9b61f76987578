/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBatch = 64 };

struct Graph {
  MPI_Comm comm;
  MPI_File index, edges;
  int rank, ranks, vertices;
  long *bounds; /* of the owned vertices, one more than there are */
  int *buffer;
  long room;
};

static MPI_File opened(MPI_Comm comm, const char *name, const char *suffix) {
  char path[64];
  MPI_File file;
  strcpy(path, name);
  strcat(path, suffix);
  if (MPI_File_open(comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file)) {
    fprintf(stderr, "cannot open %s\n", path);
    MPI_Abort(comm, 1);
  }
  return file;
}

Graph *openGraph(const char *name, MPI_Comm comm) {
  Graph *graph = calloc(1, sizeof *graph);
  MPI_Offset bytes;
  graph->comm = comm;
  MPI_Comm_rank(comm, &graph->rank);
  MPI_Comm_size(comm, &graph->ranks);
  graph->index = opened(comm, name, ".index");
  graph->edges = opened(comm, name, ".edges");
  MPI_File_get_size(graph->index, &bytes);
  graph->vertices = (int)(bytes / (MPI_Offset)sizeof(long)) - 1;
  int owned = ownedCount(graph);
  graph->bounds = malloc((size_t)(owned + 1) * sizeof *graph->bounds);
  MPI_File_read_at_all(graph->index, firstOwned(graph) * (MPI_Offset)sizeof(long), graph->bounds,
                       owned + 1, MPI_LONG, MPI_STATUS_IGNORE);
  return graph;
}

void closeGraph(Graph *graph) {
  MPI_File_close(&graph->index);
  MPI_File_close(&graph->edges);
  free(graph->bounds);
  free(graph->buffer);
  free(graph);
}

int vertexCount(const Graph *graph) { return graph->vertices; }

static int blockSize(const Graph *graph) {
  return (graph->vertices + graph->ranks - 1) / graph->ranks;
}

int firstOwned(const Graph *graph) {
  int first = graph->rank * blockSize(graph);
  return first < graph->vertices ? first : graph->vertices;
}

int ownedCount(const Graph *graph) {
  int left = graph->vertices - firstOwned(graph), block = blockSize(graph);
  return left < block ? left : block;
}

int ownerOf(const Graph *graph, int vertex) { return vertex / blockSize(graph); }

static int *reserved(Graph *graph, long count) {
  if (count > graph->room) {
    free(graph->buffer);
    graph->room = count + count / 2 + 16;
    graph->buffer = malloc((size_t)graph->room * sizeof *graph->buffer);
  }
  return graph->buffer;
}

static void readEdges(Graph *graph, long first, long last, int *into) {
  if (last > first)
    MPI_File_read_at(graph->edges, first * (MPI_Offset)sizeof(int), into, (int)(last - first),
                     MPI_INT, MPI_STATUS_IGNORE);
}

/* Many vertices with one read. */
void forOwnedVertices(Graph *graph, VisitEdges visit, void *context) {
  int owned = ownedCount(graph), first = firstOwned(graph);
  for (int from = 0; from < owned; from += kBatch) {
    int to = from + kBatch < owned ? from + kBatch : owned;
    long begin = graph->bounds[from], end = graph->bounds[to];
    int *list = reserved(graph, end - begin);
    readEdges(graph, begin, end, list);
    for (int v = from; v < to; v++) {
      Adjacency adjacency = {first + v, list + (graph->bounds[v] - begin),
                             (int)(graph->bounds[v + 1] - graph->bounds[v])};
      visit(context, &adjacency);
    }
  }
}

/* One read for each; the bounds of others' vertices are read too. */
void forVertices(Graph *graph, const int *vertices, int count, VisitEdges visit, void *context) {
  for (int i = 0; i < count; i++) {
    int mine = vertices[i] - firstOwned(graph);
    long bounds[2];
    if (mine >= 0 && mine < ownedCount(graph))
      memcpy(bounds, graph->bounds + mine, sizeof bounds);
    else
      MPI_File_read_at(graph->index, vertices[i] * (MPI_Offset)sizeof *bounds, bounds, 2, MPI_LONG,
                       MPI_STATUS_IGNORE);
    int *list = malloc((size_t)(bounds[1] - bounds[0] + 1) * sizeof *list);
    readEdges(graph, bounds[0], bounds[1], list);
    Adjacency adjacency = {vertices[i], list, (int)(bounds[1] - bounds[0])};
    visit(context, &adjacency);
    free(list);
  }
}
