/* SPDX-License-Identifier: Apache-2.0 */
/* program FILE: reads at places that it draws, after a call that has changed the generators. */
#include <mpi.h>
#include <stdlib.h>

enum { BLOCK = 4096, BLOCKS = 1024 };

void othersMixIn(void);

static int (*const openFile[])(MPI_Comm, const char *, int, MPI_Info, MPI_File *) = {
    MPI_File_open,
};

static int place(void) { return rand() % BLOCKS; }

int main(int argc, char **argv) {
  static char block[BLOCK];
  MPI_File file;
  long sum = 0;
  MPI_Init(&argc, &argv);
  for (int opened = 0; opened < 3; opened++) {
    for (int skipped = place() % 10; skipped > 0; skipped--)
      sum += rand();
#ifdef BY_POINTER
    openFile[argc - 2](MPI_COMM_SELF, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
#else
    (void)openFile;
    MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
#endif
    for (int n = 0; n < 200; n++) {
#ifdef BY_MODEL
      if (n % 50 == 0)
        othersMixIn();
#endif
      const int here = n % 3 ? place() : (int)(drand48() * BLOCKS);
      MPI_File_read_at(file, (MPI_Offset)here * BLOCK, block, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
      sum += block[0];
    }
    MPI_File_close(&file);
  }
  MPI_Finalize();
  return sum == 1; /* the numbers are others in every run */
}
