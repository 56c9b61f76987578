/* SPDX-License-Identifier: Apache-2.0 */
/* sharing DIRECTORY: ranks with shared caches announce and read the same files in orders of their
 * own, among writes of their own and of others, and print what they have read. The output must
 * depend on the files alone, whatever resources one of them could not get. */

#include <forerun/prefetch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 20000, BLOCKS = 24, ROUNDS = 3 };

static int rank, ranks;
static char bytes[BLOCK];

static uint64_t digest(void) {
  uint64_t sum = 14695981039346656037u;
  for (int i = 0; i < BLOCK; ++i)
    sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
  return sum;
}

static void write_block(MPI_File file, int round, int block) {
  for (int at = 0; at < BLOCK; ++at)
    bytes[at] = (char)(at / 3 + 31 * block + 7 * round);
  MPI_File_write_at(file, (MPI_Offset)block * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
}

static void read_all(MPI_File file, int round) {
  uint64_t sum = 0;
  int count = 0;
  for (int i = 0; i < BLOCKS; ++i)
    MPI_File_prefetch_at(file, (MPI_Offset)((i * 7 + rank * 11) % BLOCKS) * BLOCK, BLOCK, MPI_BYTE);
  for (int i = 0; i < BLOCKS; ++i) {
    MPI_Status status;
    const int block = (i * 7 + rank * 11) % BLOCKS;
    memset(bytes, 0, BLOCK);
    MPI_File_read_at(file, (MPI_Offset)block * BLOCK, bytes, BLOCK, MPI_BYTE, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    sum += digest() * (uint64_t)(block + 1) + (uint64_t)count;
  }
  printf("%d: round %d: %016llx\n", rank, round, (unsigned long long)sum);
}

/* A file that is open read-only, and written anew before each round; other nodes are asked. */
static void read_alone(const char *path) {
  for (int round = 0; round < ROUNDS; ++round) {
    MPI_File file;
    if (rank == 0) {
      MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
      for (int i = 0; i < BLOCKS; ++i)
        write_block(file, round, i);
      MPI_File_set_size(file, (MPI_Offset)BLOCK * BLOCKS - 77);
      MPI_File_close(&file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    read_all(file, round);
    MPI_File_close(&file);
  }
}

/* Sync, barrier, sync. */
static void read_and_write(const char *path) {
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  for (int round = ROUNDS; round < 2 * ROUNDS; ++round) {
    for (int i = rank; i < BLOCKS; i += ranks)
      write_block(file, round, i);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    read_all(file, round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_File_close(&file);
}

int main(int argc, char **argv) {
  static char path[2][4096];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) {
    fprintf(stderr, "usage: sharing DIRECTORY\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int file = 0; file < 2; ++file)
    snprintf(path[file], sizeof path[file], "%s/sharing.%d", argv[1], file);
  read_alone(path[0]);
  read_and_write(path[1]);
  MPI_Finalize();
  return 0;
}
