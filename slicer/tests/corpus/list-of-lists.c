/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a table of lists, each of whose links holds the offset of the next one.
 * The slicer must fetch the links; the thread is never ahead of the program, and must not slow it
 * down. */
#include <mpi.h>
#include <stdio.h>

enum { kLists = 12, kLinks = 25, kApart = 4096 };

struct Link {
  long next, value;
};

static long placeOf(long list, long link) {
  return (1 + (list * kLinks + link) * 77 % (kLists * kLinks)) * kApart;
}

static void makeInput(const char *path) {
  FILE *out = fopen(path, "wb");
  for (long list = 0; list < kLists; list++) {
    const long head = placeOf(list, 0);
    fseek(out, list * (long)sizeof head, SEEK_SET);
    fwrite(&head, sizeof head, 1, out);
    for (long n = 0; n < kLinks; n++) {
      const struct Link link = {n + 1 < kLinks ? placeOf(list, n + 1) : 0, list * n + 1};
      fseek(out, placeOf(list, n), SEEK_SET);
      fwrite(&link, sizeof link, 1, out);
    }
  }
  fclose(out);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    makeInput("list-of-lists.dat");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "list-of-lists.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  long heads[kLists], sum = 0, total = 0;
  MPI_File_read_at(file, 0, heads, sizeof heads, MPI_BYTE, MPI_STATUS_IGNORE);
  for (int list = 0; list < kLists; list++) {
    long at = heads[(list + rank) % kLists];
    while (at != 0) {
      struct Link link;
      MPI_File_read_at(file, at, &link, sizeof link, MPI_BYTE, MPI_STATUS_IGNORE);
      at = link.next;
      sum += link.value * (rank + 1);
    }
  }
  MPI_File_close(&file);
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("list-of-lists %ld\n", total);
  MPI_Finalize();
  return 0;
}
