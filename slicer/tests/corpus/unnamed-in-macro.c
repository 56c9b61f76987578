/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a type without a name that a macro spells, and what a function says about its own variables
 * when it is compiled, are no obstacle to the clone: offsetof of such a structure, an assertion, an
 * enumeration and a type that name variables of which nothing else is in the slice. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define ALIGN_OF(T)                                                                                \
  offsetof(                                                                                        \
      struct {                                                                                     \
        char c;                                                                                    \
        T x;                                                                                       \
      },                                                                                           \
      x)
#define SORT(T, array, n, field) sorted(array, n, sizeof(T), ALIGN_OF(T), offsetof(T, field))

enum { kBlock = 32, kPieces = 60 };

struct Piece {
  int length;
  long at;
};

static void sorted(void *array, size_t n, size_t size, size_t alignment, size_t field) {
  char *all = array, other[64];
  for (size_t i = 0; i < n && size % alignment == 0; i++)
    for (size_t k = i + 1; k < n; k++)
      if (*(long *)(all + k * size + field) < *(long *)(all + i * size + field)) {
        memcpy(other, all + i * size, size);
        memcpy(all + i * size, all + k * size, size);
        memcpy(all + k * size, other, size);
      }
}

int main(int argc, char **argv) {
  int rank;
  struct {
    long sum, most;
  } mine = {0, 0}, whole;
  _Static_assert(sizeof mine == 2 * sizeof(long), "two numbers");
  struct Piece pieces[kPieces];
  enum { kAll = sizeof pieces / sizeof *pieces };
  typedef __typeof__(mine.sum) Number;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "unnamed-in-macro.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                MPI_INFO_NULL, &file);
  int block[kBlock];
  if (rank == 0)
    for (int b = 0; b < kPieces; b++) {
      for (int i = 0; i < kBlock; i++)
        block[i] = b ^ i * 3;
      MPI_File_write_at(file, (MPI_Offset)b * (MPI_Offset)sizeof block, block, kBlock, MPI_INT,
                        MPI_STATUS_IGNORE);
    }
  MPI_File_close(&file);
  MPI_Barrier(MPI_COMM_WORLD);

  for (Number i = 0; i < kAll; i++)
    pieces[i] = (struct Piece){.at = i * 7 % kPieces * (long)sizeof block, .length = kBlock / 2};
  SORT(struct Piece, pieces, kAll, at);
  MPI_File_open(MPI_COMM_WORLD, "unnamed-in-macro.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  for (int i = 0; i < kAll; i++) {
    assert(MPI_File_read_at(file, pieces[i].at, block, pieces[i].length, MPI_INT,
                            MPI_STATUS_IGNORE) == MPI_SUCCESS);
    for (int k = 0; k < pieces[i].length; k++) {
      mine.sum += block[k] * (k + i);
      mine.most = block[k] > mine.most ? block[k] : mine.most;
    }
  }
  MPI_File_close(&file);
  MPI_Reduce(&mine.sum, &whole.sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&mine.most, &whole.most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("unnamed-in-macro %ld %ld\n", whole.sum, whole.most);
  MPI_Finalize();
  return 0;
}
