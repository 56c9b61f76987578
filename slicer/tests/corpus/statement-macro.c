/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: macros that are statements, loops and do-while(0) blocks, with the read inside one.
 * The slicer must not cut a range that lies partly inside a macro. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    int rc_ = (call);                                                                              \
    if (rc_ != MPI_SUCCESS) {                                                                      \
      fprintf(stderr, "%s:%d: %s failed: %d\n", __FILE__, __LINE__, #call, rc_);                   \
      MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
    }                                                                                              \
  } while (0)
#define FOR_EACH(i, from, to) for (int i = (from); i < (to); i++)
#define SWAP(a, b)                                                                                 \
  {                                                                                                \
    int swap_ = (a);                                                                               \
    (a) = (b);                                                                                     \
    (b) = swap_;                                                                                   \
  }
#define OFFSET(block) ((MPI_Offset)(block) * kBlock * (MPI_Offset)sizeof(int))

enum { kBlock = 40, kBlocks = 20 };

int main(int argc, char **argv) {
  int rank, block[kBlock], order[kBlocks];
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_File file;
  CHECK(MPI_File_open(MPI_COMM_WORLD, "statement-macro.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY,
                      MPI_INFO_NULL, &file));
  if (rank == 0)
    FOR_EACH(b, 0, kBlocks) {
      FOR_EACH(i, 0, kBlock)
      block[i] = b ^ i;
      CHECK(MPI_File_write_at(file, OFFSET(b), block, kBlock, MPI_INT, MPI_STATUS_IGNORE));
    }
  CHECK(MPI_File_close(&file));

  CHECK(
      MPI_File_open(MPI_COMM_WORLD, "statement-macro.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
  FOR_EACH(i, 0, kBlocks)
  order[i] = i;
  FOR_EACH(i, rank, kBlocks - 3)
  SWAP(order[i], order[i + 3]);
  long sum = 0, total = 0;
  FOR_EACH(i, 0, kBlocks) {
    CHECK(MPI_File_read_at(file, OFFSET(order[i]), block, kBlock, MPI_INT, MPI_STATUS_IGNORE));
    FOR_EACH(k, 0, kBlock)
    sum += (long)block[k] * (i + 1);
  }
  CHECK(MPI_File_close(&file));

  CHECK(MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD));
  if (rank == 0)
    printf("statement-macro %ld\n", total);
  CHECK(MPI_Finalize());
  return EXIT_SUCCESS;
}
