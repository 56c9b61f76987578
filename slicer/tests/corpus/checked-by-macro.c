/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: of a macro that keeps what a call returns in a variable of a statement expression, and ends
 * the program if that is bad, the clone has its own text: it opens nothing, counts nothing and
 * draws no number that is the program's. */
#include <mpi.h>
#include <stdio.h>

#define TRY(call)                                                                                  \
  ({                                                                                               \
    int code_ = (call);                                                                            \
    if (code_ != MPI_SUCCESS)                                                                      \
      MPI_Abort(MPI_COMM_WORLD, code_);                                                            \
    code_;                                                                                         \
  })
#define TOLD(call)                                                                                 \
  ({                                                                                               \
    int told_ = (call), twice_[2] = {told_, draw(2)};                                              \
    if (told_ < 0)                                                                                 \
      fprintf(stderr, "failed\n");                                                                 \
    told_ + twice_[1] * 0;                                                                         \
  })

enum { kNumbers = 1000, kReads = 200 };

static MPI_File file;
static int reads;
static unsigned seed = 5;

static int draw(int limit) {
  seed = seed * 1103515245 + 12345;
  return (int)(seed >> 16) % limit;
}

static int readOne(long at, int *value) {
  reads++;
  return MPI_File_read_at(file, at * 4, value, 1, MPI_INT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, next = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  TRY(MPI_File_open(MPI_COMM_WORLD, "checked-by-macro.dat", MPI_MODE_CREATE | MPI_MODE_RDWR,
                    MPI_INFO_NULL, &file));
  if (rank == 0)
    for (int i = 0; i < kNumbers; i++) {
      int number = (i * 7 + 1) % kNumbers;
      TRY(MPI_File_write_at(file, 4 * i, &number, 1, MPI_INT, MPI_STATUS_IGNORE));
    }
  TRY(MPI_File_sync(file));
  MPI_Barrier(MPI_COMM_WORLD);
  TRY(MPI_File_sync(file));

  long sum = 0;
  for (int i = 0; i < kReads; i++) {
    TRY(readOne((next + TOLD(draw(kNumbers))) % kNumbers, &next));
    sum += next * (i + 1L);
  }
  MPI_File_close(&file);
  long total = 0;
  MPI_Reduce(&sum, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("checked-by-macro %ld: %d reads, seed %u\n", total, reads, seed);
  MPI_Finalize();
  return 0;
}
