/* SPDX-License-Identifier: Apache-2.0 */
/* clients FILE...: one file of a store, under the name that each process's client has for it. In
 * turns, every process writes blocks of its own and all read everything, with what MPI-IO requires
 * in between: sync, barrier, sync, or close, barrier, open. Reads are announced; every byte is
 * known beforehand. */

#include <forerun/prefetch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6000, BLOCKS = 64, TURNS = 24, REOPEN_EVERY = 3 };

static MPI_File open_it(const char *path) {
  MPI_File file;
  if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  return file;
}

/* The last turn, up to this one, in which a block was written; each turn writes every third
 * block. */
static int written_in(int block, int turn) {
  for (; turn > 0; --turn)
    if ((block + turn) % 3 == 0)
      return turn;
  return 0;
}

static char content(int block, int turn) { return (char)(1 + (7 * block + 13 * turn) % 250); }

static void write_own(MPI_File file, int turn, int rank, int ranks) {
  static char bytes[BLOCK];
  for (int block = rank; block < BLOCKS; block += ranks) {
    if (turn != 0 && written_in(block, turn) != turn)
      continue;
    memset(bytes, content(block, turn), sizeof bytes);
    MPI_File_write_at(file, (MPI_Offset)block * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
  }
}

static int wrong_blocks(MPI_File file, int turn) {
  static char bytes[BLOCK], wanted[BLOCK];
  int wrong = 0;
  for (int block = 0; block < BLOCKS; ++block)
    MPI_File_prefetch_at(file, (MPI_Offset)block * BLOCK, BLOCK, MPI_BYTE);
  for (int block = 0; block < BLOCKS; ++block) {
    memset(wanted, content(block, written_in(block, turn)), sizeof wanted);
    MPI_File_read_at(file, (MPI_Offset)block * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    wrong += memcmp(bytes, wanted, sizeof wanted) != 0;
  }
  return wrong;
}

int main(int argc, char **argv) {
  int rank, ranks, wrong = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 1 + ranks)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_File file = open_it(argv[1 + rank]);
  for (int turn = 0; turn < TURNS; ++turn) {
    write_own(file, turn, rank, ranks);
    if (turn % REOPEN_EVERY == 0) {
      MPI_File_close(&file);
      MPI_Barrier(MPI_COMM_WORLD);
      file = open_it(argv[1 + rank]);
    } else {
      MPI_File_sync(file);
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_File_sync(file);
    }
    wrong += wrong_blocks(file, turn);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d of %d blocks wrong\n", all, TURNS * BLOCKS * ranks);
  MPI_Finalize();
  return all != 0;
}
