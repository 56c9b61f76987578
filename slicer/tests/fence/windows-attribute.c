/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a window, obtained as its attribute and as a result. */
#include "reader.h"

static int shared[16] = {3};

static void work(void) {
  int *base, flag;
  MPI_Win window, other;
  MPI_Win_create(shared, sizeof shared, sizeof *shared, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &flag);
  for (int i = 0; i < 50; i++)
    readAt(*base += 2);
  printf("%d\n", *base);
  MPI_Win_free(&window);
  MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &other);
  base[1] = 0;
  for (int i = 0; i < 50; i++)
    readAt(base[1] += 2);
  printf("%d\n", base[1]);
  MPI_Win_free(&other);
}
