/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/prefetch.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child of fork has none of Forerun's threads: its reads go to the file system, whether the
 * parent has the bytes or not. (MPI promises nothing in a child, but reads with MPI_COMM_SELF
 * work.) The one argument names a file to be made; each rank adds its number. */

enum { BYTES = 1 << 20 };

static char bytes[BYTES];

static int reads(MPI_File file, MPI_Offset from, int length) {
  memset(bytes, 0, BYTES);
  MPI_File_read_at(file, from, bytes, length, MPI_BYTE, MPI_STATUS_IGNORE);
  return bytes[0] == 'x' && bytes[length - 1] == 'x';
}

int main(int argc, char **argv) {
  char path[4096];
  int rank = 0, status = 0;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof path, "%s.%d", argv[1], rank);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  memset(bytes, 'x', BYTES);
  MPI_File_write_at(file, 0, bytes, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_prefetch_at(file, 0, BYTES / 2, MPI_BYTE);
  int good = reads(file, 0, BYTES / 4);
  const pid_t child = fork();
  if (child == 0) {
    MPI_File_prefetch_at(file, BYTES / 2, BYTES / 2, MPI_BYTE);
    const int there = reads(file, 0, BYTES / 2), new = reads(file, BYTES / 4, BYTES / 2);
    _exit(there && new ? 0 : 1);
  }
  waitpid(child, &status, 0);
  good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0 && reads(file, 0, BYTES);
  if (!good)
    printf("rank %d: a read failed; the child's status is %x\n", rank, (unsigned)status);
  MPI_File_close(&file);
  MPI_Finalize();
  return good ? 0 : 1;
}
