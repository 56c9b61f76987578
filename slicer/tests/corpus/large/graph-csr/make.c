/* SPDX-License-Identifier: Apache-2.0 */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>

static int degreeOf(int vertex) { return 2 + vertex * 7 % 9; }

static int neighbourOf(int vertex, int i, int vertices) {
  return (vertex + 1 + i * i * 3 + vertex % 5 * i) % vertices;
}

static int byNumber(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

void makeGraph(const char *name, int vertices) {
  char path[64];
  snprintf(path, sizeof path, "%s.index", name);
  FILE *index = fopen(path, "wb");
  snprintf(path, sizeof path, "%s.edges", name);
  FILE *edges = fopen(path, "wb");
  if (!index || !edges)
    abort();
  long end = 0;
  fwrite(&end, sizeof end, 1, index);
  for (int v = 0; v < vertices; v++) {
    int list[16], degree = degreeOf(v);
    for (int i = 0; i < degree; i++)
      list[i] = neighbourOf(v, i, vertices);
    qsort(list, (size_t)degree, sizeof *list, byNumber);
    fwrite(list, sizeof *list, (size_t)degree, edges);
    end += degree;
    fwrite(&end, sizeof end, 1, index);
  }
  fclose(index);
  fclose(edges);
}
