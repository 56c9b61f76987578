/* SPDX-License-Identifier: Apache-2.0 */
/* victim DIRECTORY: exercises most of Forerun, and prints a line with the result of each step: a
 * pre-execution thread that announces and reads an index, values handed over to it, files opened
 * twice, prefetches by hand, views, blocking and non-blocking writes, the end of a file, options
 * read back. The output must depend on the files alone, whatever resources Forerun could not
 * get. */

#include <forerun/prefetch.h>
#include <forerun/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 20000, BLOCKS = 24, FILES = 3 };
enum { SITE_OPEN, SITE_INDEX, SITE_VALUE, SITE_READ, SITE_WRITE, SITE_SYNC, SITES };

static int rank;

static uint64_t digest(const void *bytes, int count) {
  uint64_t sum = 14695981039346656037u;
  for (int i = 0; i < count; ++i)
    sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return sum;
}

static void say(const char *step, int number, int rc, const void *bytes, int count) {
  int class = MPI_SUCCESS;
  if (rc != MPI_SUCCESS)
    MPI_Error_class(rc, &class);
  printf("%d: %s %d: class %d, %d bytes, %016llx\n", rank, step, number, class, count,
         (unsigned long long)digest(bytes, count));
}

static void pre(void *argument) {
  (void)argument;
  int order[BLOCKS];
  MPI_File file = forerun_pre_open(SITE_OPEN);
  memset(order, 0, sizeof order);
  if (forerun_pre_at(SITE_INDEX))
    MPI_File_prefetch_read_at(file, 0, order, (int)sizeof order, MPI_BYTE, NULL);
  int first = 0;
  forerun_pre_receive(SITE_VALUE, &first, sizeof first);
  for (int i = first; i < BLOCKS; ++i) {
    if (forerun_pre_at(SITE_READ))
      MPI_File_prefetch_at(file, (MPI_Offset)i * BLOCK, BLOCK, MPI_BYTE);
    if (i % 4 == 3 && forerun_pre_at(SITE_WRITE))
      MPI_File_prefetch_write_at(file, (MPI_Offset)i * BLOCK, 100, MPI_BYTE);
  }
}

static int read_block(MPI_File file, int block, char *bytes) {
  MPI_Status status;
  int count = 0;
  memset(bytes, 0, BLOCK);
  const int rc = MPI_File_read_at(file, (MPI_Offset)block * BLOCK, bytes, BLOCK, MPI_BYTE, &status);
  if (rc == MPI_SUCCESS)
    MPI_Get_count(&status, MPI_BYTE, &count);
  say("block", block, rc, bytes, count);
  return rc;
}

/* With the pre-execution thread ahead. */
static void ahead(const char *path, char *bytes) {
  MPI_File file;
  int order[BLOCKS], first = 0;
  forerun_main_launch(pre, NULL, 0, SITES);
  const int rc = forerun_main_done(
      SITE_OPEN, MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  if (rc != MPI_SUCCESS) {
    say("open", 0, rc, NULL, 0);
    return;
  }
  forerun_main_done(
      SITE_INDEX, MPI_File_read_at(file, 0, order, (int)sizeof order, MPI_BYTE, MPI_STATUS_IGNORE));
  say("index", 0, MPI_SUCCESS, order, (int)sizeof order);
  forerun_main_forward(SITE_VALUE, &first, sizeof first);
  for (int i = first; i < BLOCKS; ++i) {
    forerun_main_done(SITE_READ, read_block(file, i, bytes));
    if (i % 4 == 3)
      forerun_main_done(SITE_WRITE, MPI_File_write_at(file, (MPI_Offset)i * BLOCK, "written", 7,
                                                      MPI_BYTE, MPI_STATUS_IGNORE));
  }
  read_block(file, 7, bytes);
  MPI_File_close(&file);
}

static void views(MPI_File file, char *bytes) {
  MPI_Datatype column;
  MPI_Status status;
  int count = 0;
  MPI_Type_vector(50, 16, 64, MPI_BYTE, &column);
  MPI_Type_commit(&column);
  MPI_File_set_view(file, 128, MPI_BYTE, column, "native", MPI_INFO_NULL);
  MPI_File_prefetch_at(file, 0, 600, MPI_BYTE);
  const int rc = MPI_File_read_at(file, 0, bytes, 600, MPI_BYTE, &status);
  MPI_Get_count(&status, MPI_BYTE, &count);
  say("view", 0, rc, bytes, count);
  MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
  MPI_Type_free(&column);
}

static void writes(MPI_File file, MPI_File other, char *bytes) {
  MPI_Request request;
  for (int i = 0; i < 4; ++i)
    MPI_File_prefetch_at(file, (MPI_Offset)i * BLOCK, BLOCK, MPI_BYTE);
  read_block(file, 1, bytes);
  memset(bytes, 'w', BLOCK);
  MPI_File_write_at(other, BLOCK + 5, bytes, 5000, MPI_BYTE, MPI_STATUS_IGNORE);
  read_block(file, 1, bytes);
  memset(bytes, 'i', BLOCK);
  MPI_File_iwrite_at(file, 2 * BLOCK, bytes, 9000, MPI_BYTE, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  read_block(file, 2, bytes);
  MPI_File_sync(file);
  read_block(file, 3, bytes);
  MPI_File_set_size(file, (MPI_Offset)BLOCK * (BLOCKS - 1));
  read_block(file, BLOCKS - 2, bytes);
  read_block(file, BLOCKS - 1, bytes);
}

/* The same file through two handles, with the cache filled by what is read. */
static void by_hand(const char *path, char *bytes) {
  MPI_File file, other;
  MPI_Info info, used;
  int set = 0;
  char value[MPI_MAX_INFO_VAL + 1] = "";
  MPI_Info_create(&info);
  MPI_Info_set(info, "forerun_cache", "on");
  const int rc = MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, info, &file);
  if (rc != MPI_SUCCESS ||
      MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR, info, &other) != MPI_SUCCESS) {
    say("open", 1, rc, NULL, 0);
    return;
  }
  MPI_File_get_info(file, &used);
  MPI_Info_get(used, "romio_filesystem_type", MPI_MAX_INFO_VAL, value, &set);
  say("info", set, rc, value, (int)strlen(value));
  MPI_Info_free(&used);
  views(file, bytes);
  writes(file, other, bytes);
  MPI_File_set_info(file, info);
  MPI_File_close(&file);
  read_block(other, 4, bytes);
  MPI_File_close(&other);
  MPI_Info_free(&info);
}

int main(int argc, char **argv) {
  static char bytes[BLOCK], path[FILES][4096];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &(int){0});
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 2) {
    fprintf(stderr, "usage: victim DIRECTORY\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int file = 0; file < FILES; ++file) {
    MPI_File made;
    snprintf(path[file], sizeof path[file], "%s/victim.%d.%d", argv[1], rank, file);
    MPI_File_open(MPI_COMM_SELF, path[file], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &made);
    for (int i = 0; i < BLOCKS; ++i) {
      for (int at = 0; at < BLOCK; ++at)
        bytes[at] = (char)(at / 3 + 31 * i + 7 * file);
      MPI_File_write_at(made, (MPI_Offset)i * BLOCK, bytes, BLOCK, MPI_BYTE, MPI_STATUS_IGNORE);
    }
    MPI_File_set_size(made, (MPI_Offset)BLOCK * BLOCKS - 77);
    MPI_File_close(&made);
  }
  ahead(path[0], bytes);
  by_hand(path[1], bytes);
  by_hand(path[2], bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
