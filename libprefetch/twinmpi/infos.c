/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/** \file
 * Hints: keys with values, in the order in which they were set.
 */

typedef struct Hint {
  struct Hint *next;
  char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
} Hint;

typedef struct Hints {
  Hint *first;
} Hints;

static Hint **find(Hints *in, const char *key) {
  Hint **at = &in->first;
  while (*at != NULL && strcmp((*at)->key, key) != 0)
    at = &(*at)->next;
  return at;
}

int MPI_Info_create(MPI_Info *info) {
  Hints *made = calloc(1, sizeof *made);
  *info = made == NULL ? MPI_INFO_NULL : objectsAdd(kInfo, made);
  return made == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int MPI_Info_set(MPI_Info info, const char *key, const char *value) {
  Hints *in = objectsFind(kInfo, info);
  if (in == NULL || strlen(key) >= MPI_MAX_INFO_KEY || strlen(value) >= MPI_MAX_INFO_VAL)
    return MPI_ERR_INFO;
  Hint **at = find(in, key);
  if (*at == NULL)
    *at = calloc(1, sizeof **at);
  if (*at == NULL)
    return MPI_ERR_NO_MEM;
  memcpy((*at)->key, key, strlen(key) + 1);
  memcpy((*at)->value, value, strlen(value) + 1);
  return MPI_SUCCESS;
}

int MPI_Info_get(MPI_Info info, const char *key, int most, char *value, int *flag) {
  Hints *in = objectsFind(kInfo, info);
  if (in == NULL)
    return MPI_ERR_INFO;
  const Hint *hint = *find(in, key);
  *flag = hint != NULL;
  if (hint == NULL)
    return MPI_SUCCESS;
  strncpy(value, hint->value, (size_t)most);
  value[most] = '\0'; /* it has room for one more */
  return MPI_SUCCESS;
}

int MPI_Info_dup(MPI_Info info, MPI_Info *made) {
  const Hints *from = objectsFind(kInfo, info);
  if (from == NULL)
    return MPI_ERR_INFO;
  int rc = MPI_Info_create(made);
  for (const Hint *each = from->first; each != NULL && rc == MPI_SUCCESS; each = each->next)
    rc = MPI_Info_set(*made, each->key, each->value);
  return rc;
}

int MPI_Info_free(MPI_Info *info) {
  Hints *in = objectsFind(kInfo, *info);
  if (in == NULL)
    return MPI_ERR_INFO;
  while (in->first != NULL) {
    Hint *hint = in->first;
    in->first = hint->next;
    free(hint);
  }
  free(in);
  objectsRemove(kInfo, *info);
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}
