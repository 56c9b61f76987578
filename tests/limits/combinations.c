/* SPDX-License-Identifier: Apache-2.0 */
/* combinations DIRECTORY EVERY WRITERS: goes through every EVERY-th combination of two handles of one
 * file, a reader's and a writer's: communicator, access modes, hints, and whether the main thread or
 * another one reads. WRITERS: all, or cached for those that have a cache with Forerun. Each process
 * prints a line for each step of each combination: error class, bytes, digest. Only what MPI-IO's
 * consistency rules determine is printed, so it must be the same with every MPI-IO. */

#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 10000, BLOCKS = 6, LENGTH = BLOCK * BLOCKS };

/* libforerun's, if it is loaded. */
extern int MPI_File_prefetch_at(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype)
    __attribute__((weak));

static const char *const kHints[][2] = {
    {NULL, NULL},     {"forerun_cache", "on"},      {"forerun_cache", "off"},
    {"forerun", "0"}, {"romio_cb_read", "disable"}, {"romio_ds_write", "disable"}};
static const int kReaderModes[] = {MPI_MODE_RDONLY, MPI_MODE_RDWR};
static const int kWriterModes[] = {MPI_MODE_RDWR, MPI_MODE_WRONLY};
enum {
  HINTS = sizeof kHints / sizeof *kHints,

  READER_MODES = 2,
  WRITER_MODES = 2,
  COMMS = 4,
  THREADS = 2
};

typedef struct combination {
  int number, rank, ranks;
  MPI_Comm comm;
  const char *path;
  int reader_mode, writer_mode, reader_hint, writer_hint, threaded;
  MPI_File reader, writer;
} combination;

static int world_rank;

static uint64_t digest(const char *bytes, int count) {
  uint64_t sum = 14695981039346656037u;
  for (int i = 0; i < count; ++i)
    sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
  return sum;
}

static void say(const combination *c, const char *step, int rc, const char *bytes, int count) {
  int class = MPI_SUCCESS;
  if (rc != MPI_SUCCESS)
    MPI_Error_class(rc, &class);
  printf(
      "%d combination %d (comm of %d, modes %d %d, hints %d %d, thread %d) %s: class %d, %d bytes, "
      "%016llx\n",
      world_rank, c->number, c->ranks, c->reader_mode, c->writer_mode, c->reader_hint,
      c->writer_hint, c->threaded, step, class, count,
      (unsigned long long)(rc == MPI_SUCCESS ? digest(bytes, count) : 0));
}

/* ---- a read, by whichever thread ---- */

typedef struct job {
  MPI_File file;
  MPI_Offset offset;
  int count, rc, got;
  char *bytes;
} job;

static void *read_it(void *argument) {
  job *j = argument;
  MPI_Status status;
  j->got = 0;
  memset(j->bytes, '-', (size_t)j->count);
  j->rc = MPI_File_read_at(j->file, j->offset, j->bytes, j->count, MPI_BYTE, &status);
  if (j->rc == MPI_SUCCESS)
    MPI_Get_count(&status, MPI_BYTE, &j->got);
  return NULL;
}

static void read_and_say(const combination *c, const char *step, MPI_File file, MPI_Offset offset,
                         int count) {
  static char bytes[LENGTH + BLOCK];
  job j = {file, offset, count, MPI_SUCCESS, 0, bytes};
  pthread_t thread;
  if (!c->threaded || pthread_create(&thread, NULL, read_it, &j) != 0)
    read_it(&j);
  else
    pthread_join(thread, NULL);
  say(c, step, j.rc, bytes, j.got);
}

/* ---- the steps ---- */

static MPI_File open_with(const combination *c, int mode, int hint) {
  MPI_File file;
  MPI_Info info = MPI_INFO_NULL;
  if (kHints[hint][0] != NULL) {
    MPI_Info_create(&info);
    MPI_Info_set(info, kHints[hint][0], kHints[hint][1]);
  }
  const int rc = MPI_File_open(c->comm, c->path, mode, info, &file);
  if (rc != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 3);
  if (info != MPI_INFO_NULL)
    MPI_Info_free(&info);
  return file;
}

static void fill(const combination *c) {
  static char bytes[LENGTH];
  MPI_File file;
  for (int i = 0; i < LENGTH; ++i)
    bytes[i] = (char)(i / 3 + i / 4099 + c->number);
  MPI_File_open(c->comm, c->path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
  MPI_File_set_size(file, LENGTH);
  if (c->rank == 0)
    MPI_File_write_at(file, 0, bytes, LENGTH, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Barrier(c->comm);
}

static void announce(MPI_File file, MPI_Offset offset, int count) {
  if (MPI_File_prefetch_at != NULL)
    MPI_File_prefetch_at(file, offset, count, MPI_BYTE);
}

/* Each process writes a block of its own, and reads it at once through either handle. */
static void own_writes(combination *c) {
  static char bytes[BLOCK];
  MPI_Request request;
  const MPI_Offset block = (MPI_Offset)(1 + c->rank) * BLOCK;
  memset(bytes, 'a' + c->rank, sizeof bytes);
  MPI_File_write_at(c->writer, block, bytes, BLOCK / 2, MPI_BYTE, MPI_STATUS_IGNORE);
  read_and_say(c, "its own write", c->reader, block, BLOCK / 2);
  memset(bytes, 'n' + c->rank, sizeof bytes);
  MPI_File_iwrite_at(c->writer, block + 100, bytes, BLOCK / 4, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  read_and_say(c, "its own non-blocking write", c->reader, block, BLOCK / 2);
  if (c->writer_mode == MPI_MODE_RDWR)
    read_and_say(c, "the same through the writer", c->writer, block, BLOCK / 2);
}

static void collective_reads(combination *c) {
  static char bytes[LENGTH];
  MPI_Status status;
  int count = 0;
  int rc =
      MPI_File_read_at_all(c->reader, (MPI_Offset)c->rank * BLOCK, bytes, BLOCK, MPI_BYTE, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  say(c, "collective read", rc, bytes, count);
  MPI_Datatype rows;
  MPI_Type_vector(20, 100, 300, MPI_BYTE, &rows);
  MPI_Type_commit(&rows);
  MPI_File_set_view(c->reader, 50, MPI_BYTE, rows, "native", MPI_INFO_NULL);
  rc = MPI_File_read_at_all(c->reader, 100 * c->rank, bytes, 1500, MPI_BYTE, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  say(c, "through a view", rc, bytes, count);
  MPI_File_set_view(c->reader, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_Type_free(&rows);
}

/* What others wrote is visible after sync, barrier, sync on handles that were opened for it. */
static void others_writes(combination *c) {
  if (c->reader_mode != MPI_MODE_RDWR)
    return;
  MPI_File_sync(c->writer);
  MPI_Barrier(c->comm);
  MPI_File_sync(c->reader);
  read_and_say(c, "all, synchronised", c->reader, 0, LENGTH);
}

static void sizes(combination *c) {
  MPI_Offset size = 0;
  const int rc = MPI_File_set_size(c->writer, LENGTH - 777);
  MPI_File_get_size(c->reader, &size);
  say(c, "size", rc, (const char *)&size, (int)sizeof size);
  read_and_say(c, "at the end", c->reader, LENGTH - BLOCK, BLOCK + 500);
}

static void go_through(combination *c) {
  fill(c);
  c->reader = open_with(c, c->reader_mode, c->reader_hint);
  c->writer = open_with(c, c->writer_mode, c->writer_hint);
  announce(c->reader, 0, LENGTH);
  read_and_say(c, "before all", c->reader, 0, LENGTH);
  MPI_Barrier(c->comm);
  own_writes(c);
  others_writes(c);
  MPI_Barrier(c->comm);
  MPI_File_close(&c->writer);
  MPI_File_close(&c->reader);
  MPI_Barrier(c->comm);
  c->reader = open_with(c, c->reader_mode, c->reader_hint);
  c->writer = open_with(c, c->writer_mode, c->writer_hint);
  announce(c->reader, BLOCK, LENGTH - BLOCK);
  collective_reads(c);
  read_and_say(c, "opened again", c->reader, 0, LENGTH);
  MPI_Barrier(c->comm);
  sizes(c);
  MPI_File_close(&c->reader);
  MPI_File_close(&c->writer);
}

int main(int argc, char **argv) {
  int provided = 0, number = 0;
  MPI_Comm comms[COMMS] = {MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL, MPI_COMM_NULL};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (argc != 4 || provided != MPI_THREAD_MULTIPLE)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const int every = atoi(argv[2]), cached = strcmp(argv[3], "cached") == 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comms[3]);
  const int all = COMMS * READER_MODES * WRITER_MODES * HINTS * HINTS * THREADS;
  for (; number < all; number += every) {
    char path[4096];
    int n = number;
    combination c = {.number = number};
    c.comm = comms[n % COMMS], n /= COMMS;
    c.threaded = n % THREADS, n /= THREADS;
    c.reader_mode = kReaderModes[n % READER_MODES], n /= READER_MODES;
    c.writer_mode = kWriterModes[n % WRITER_MODES], n /= WRITER_MODES;
    c.reader_hint = n % HINTS, n /= HINTS;
    c.writer_hint = n;
    const int has_cache =
        c.writer_mode == MPI_MODE_RDWR && c.writer_hint != 2 && c.writer_hint != 3;
    if (cached && !has_cache)
      continue;
    MPI_Comm_rank(c.comm, &c.rank);
    MPI_Comm_size(c.comm, &c.ranks);
    snprintf(path, sizeof path, "%s/%d", argv[1], c.ranks == 1 ? 1 + world_rank : 0);
    c.path = path;
    go_through(&c);
  }
  MPI_Comm_free(&comms[2]);
  MPI_Comm_free(&comms[3]);
  MPI_Finalize();
  return 0;
}
