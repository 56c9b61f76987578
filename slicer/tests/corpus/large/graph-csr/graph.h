/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GRAPH_H
#define GRAPH_H

#include <mpi.h>

/* Two files: NAME.index, vertices + 1 numbers; NAME.edges, the neighbours of all vertices one
 * after the other. Vertices are dealt out to the ranks in blocks. */

typedef struct Graph Graph;

typedef struct {
  int vertex;
  const int *neighbours;
  int degree;
} Adjacency;

typedef void (*VisitEdges)(void *context, const Adjacency *adjacency);

/* make.c */
void makeGraph(const char *name, int vertices);

/* graph.c */
Graph *openGraph(const char *name, MPI_Comm comm);
void closeGraph(Graph *graph);
int vertexCount(const Graph *graph);
int firstOwned(const Graph *graph);
int ownedCount(const Graph *graph);
int ownerOf(const Graph *graph, int vertex);
void forOwnedVertices(Graph *graph, VisitEdges visit, void *context);
void forVertices(Graph *graph, const int *vertices, int count, VisitEdges visit, void *context);

/* algorithms.c */
int breadthFirst(Graph *graph, int source, int *levels);
double rankPages(Graph *graph, int rounds);
long countTriangles(Graph *graph);

#endif
