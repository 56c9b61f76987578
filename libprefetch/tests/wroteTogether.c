/* SPDX-License-Identifier: Apache-2.0 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* wroteTogether FILE [HINT VALUE]: one process writes in a collective call, and all read that
 * without a synchronisation, as HDF5 does if processes share a compressed chunk. Each has read the
 * bytes before, so that they are in its cache. A barrier follows if the hint turns collective
 * writes into independent ones. */

enum { kBytes = 100000, kRounds = 24, kForms = 5 };

static char out[kBytes], in[kBytes];

static void writeForm(MPI_File file, int form, int bytes) {
  switch (form) {
  case 0:
    MPI_File_write_at_all(file, 0, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    break;
  case 1:
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_write_all(file, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    break;
  case 2:
    MPI_File_write_at_all_begin(file, 0, out, bytes, MPI_BYTE);
    MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE);
    break;
  case 3:
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered(file, out, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
    break;
  default:
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_ordered_begin(file, out, bytes, MPI_BYTE);
    MPI_File_write_ordered_end(file, out, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  int rank, size, stale = 0, all = 0;
  MPI_File file;
  MPI_Info info;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Info_create(&info);
  if (argc > 3)
    MPI_Info_set(info, argv[2], argv[3]);
  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file);
  MPI_File_set_size(file, kBytes);
  for (int round = 0; round < kRounds; round++) {
    MPI_File_read_at(file, 0, in, kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    memset(out, 1 + round, kBytes);
    writeForm(file, round % kForms, rank == round % size ? kBytes : 0);
    if (argc > 3)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at(file, 0, in, kBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    if (memcmp(in, out, kBytes) != 0) {
      printf("rank %d, round %d: it reads %d, not %d\n", rank, round, in[0], 1 + round);
      stale++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  MPI_Info_free(&info);
  MPI_Allreduce(&stale, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all != 0;
}
