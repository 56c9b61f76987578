/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct Table {
  int kind;
  void **objects;
  int places;
} Table;

static Table tables[] = {{kCommunicator, NULL, 0}, {kDatatype, NULL, 0}, {kInfo, NULL, 0}};

static Table *tableOf(int kind) {
  Table *table = tables;
  while (table->kind != kind)
    table++;
  return table;
}

/** MPICH has predefined objects at the first places of some kinds (MPI_FLOAT_INT). */
enum { kFirst = 256, kMore = 256 };

static int freePlace(Table *in) {
  for (int i = 0; i < in->places; i++)
    if (in->objects[i] == NULL)
      return i;
  void **more = (void **)realloc((void *)in->objects, (size_t)(in->places + kMore) * sizeof *more);
  if (more == NULL)
    return -1;
  for (int i = 0; i < kMore; i++)
    more[in->places + i] = NULL;
  in->objects = more;
  in->places += kMore;
  return in->places - kMore;
}

int objectsAdd(int kind, void *object) {
  Table *in = tableOf(kind);
  const int place = freePlace(in);
  if (place < 0)
    return kind;
  in->objects[place] = object;
  return kind + kFirst + place;
}

static void **placeOf(int kind, int handle) {
  Table *in = tableOf(kind);
  const long place = (long)handle - kind - kFirst;
  return place >= 0 && place < in->places ? &in->objects[place] : NULL;
}

void *objectsFind(int kind, int handle) {
  void **place = placeOf(kind, handle);
  return place == NULL ? NULL : *place;
}

void objectsRemove(int kind, int handle) {
  void **place = placeOf(kind, handle);
  if (place != NULL)
    *place = NULL;
}
