/* SPDX-License-Identifier: Apache-2.0 */
/* MPI returns a pointer that the program gave it. */
#include "reader.h"

static int shared = 3;

static void work(void) {
  int key, flag, *value;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &shared);
  for (int i = 0; i < 100; i++) {
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &flag);
    readAt(*value += 2);
  }
  printf("%d\n", shared);
}
