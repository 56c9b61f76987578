/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of this folder share: each defines work(), which calls readAt with numbers that
 * it computes in a way that is hard to analyse, and prints what must not have changed. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRecords = 4096 };

static MPI_File file;
static long total;

static void work(void);

static void readAt(long number) {
  long record = 0;
  MPI_File_read_at(file, (number & (kRecords - 1)) * (MPI_Offset)sizeof record, &record, 1,
                   MPI_LONG, MPI_STATUS_IGNORE);
  total += record;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "fence.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                &file);
  for (long i = 0; rank == 0 && i < kRecords; i++)
    MPI_File_write_at(file, i * (MPI_Offset)sizeof i, &i, 1, MPI_LONG, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_File_open(MPI_COMM_WORLD, "fence.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
  work();
  MPI_File_close(&file);
  printf("rank %d: total %ld\n", rank, total);
  MPI_Finalize();
  return 0;
}
