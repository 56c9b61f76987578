/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/runtime.h"

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program in the form that the slicer produces, with every kind of call: the two threads must
 * read the same bytes at the same places. Its one argument names a file to be made. */

enum { RECORDS = 64, RECORD = 4096, ROUNDS = 40 };

/* What main asserts about the pre-execution thread; no sliced program looks at it. */
static struct {
  int argc, rows, columnBytes, unknown, header, index[2], whole, rest, past, strided[3];
  char *file, path[256], *nothing;
  double start;
  MPI_Aint columnExtent;
} seen;
static atomic_int preHasEnded;

static void must(int good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "not so: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Every record begins with the number of the record to be read next. */
static void makeFile(const char *name) {
  FILE *out = fopen(name, "w");
  must(out != NULL, "the file can be made");
  for (int i = 0; i < RECORDS; i++) {
    int record[RECORD / sizeof(int)] = {(i * 29 + 7) % RECORDS};
    must(fwrite(record, sizeof record, 1, out) == 1, "the file can be written");
  }
  fclose(out);
}

/* ---- the slice ---- */

static int mainPre(int argc, char **argv) {
  MPI_File fh;
  MPI_Datatype column;
  MPI_Status status;
  MPI_Aint lower;
  int record[RECORD / sizeof(int)];
  int next = 0, rows;
  forerun_pre_lend(&seen, sizeof seen);
  seen.argc = argc;
  seen.file = argv[1];
  strncpy(seen.path, forerun_pre_receive_text(0), sizeof seen.path - 1);
  seen.nothing = forerun_pre_receive_text(0);
  forerun_pre_receive(1, &seen.start, sizeof seen.start);
  forerun_pre_receive(2, &seen.rows, sizeof seen.rows);
  forerun_pre_receive_type(3, &column);
  forerun_pre_MPI_Type_size(column, &seen.columnBytes);
  forerun_pre_MPI_Type_get_extent(column, &lower, &seen.columnExtent);
  seen.unknown = forerun_pre_MPI_Type_size((MPI_Datatype)0x12345678, &rows);
  forerun_pre_receive(4, seen.strided, sizeof seen.strided);

  /* The main thread has closed this one by now. */
  forerun_pre_open_file(16, &fh);
  forerun_pre_receive(17, NULL, 0);
  forerun_pre_fetch_at(18, fh, 3 * RECORD, &seen.header, 1, MPI_INT, MPI_STATUS_IGNORE);
  forerun_pre_sync_file(19);

  forerun_pre_open_file(5, &fh);
  for (int i = 0; i < ROUNDS; i++) {
    forerun_pre_fetch_at(6, fh, (MPI_Offset)next * RECORD, record, RECORD, MPI_BYTE,
                         MPI_STATUS_IGNORE);
    next = record[0];
  }
  seen.index[0] = next;
  forerun_pre_seek(7, fh, -2 * RECORD - 100, MPI_SEEK_END);
  forerun_pre_fetch(8, fh, record, RECORD, MPI_BYTE, &status);
  forerun_pre_MPI_Get_count(&status, MPI_BYTE, &seen.whole);
  forerun_pre_read(9, fh, RECORD, MPI_BYTE);
  forerun_pre_fetch(8, fh, record, RECORD, MPI_BYTE, &status);
  forerun_pre_MPI_Get_count(&status, MPI_BYTE, &seen.rest);
  forerun_pre_fetch(8, fh, record, RECORD, MPI_BYTE, &status);
  forerun_pre_MPI_Get_count(&status, MPI_BYTE, &seen.past);
  forerun_pre_set_view(10, fh, RECORD, MPI_INT, column, "native");
  forerun_pre_write_at(11, fh, 0, 1, MPI_INT);
  forerun_pre_read_at(12, fh, 3, 100, MPI_INT);
  forerun_pre_fetch(8, fh, record, 1, MPI_INT, MPI_STATUS_IGNORE);
  seen.index[1] = record[0];
  forerun_pre_write(13, fh, 2, MPI_INT);
  forerun_pre_sync_file(14);
  forerun_pre_sync_file(15);
  atomic_store(&preHasEnded, 1);
  return 0;
}

/* ---- the program ---- */

int main(int argc, char **argv) {
  MPI_File fh;
  MPI_Datatype column;
  MPI_Status status;
  int record[RECORD / sizeof(int)];
  MPI_Aint lower, columnExtent;
  int rank, header, columnBytes, rows = 12, next = 0, count, index[2], strided[3] = {1, 2, 3};
  char name[256];
  forerun_main_begin(argc, argv);
  const char *path = getenv("PATH");
  forerun_main_forward_text(0, path);
  forerun_main_forward_text(0, NULL);
  snprintf(name, sizeof name, "%s", argv[1]);
  argc = 1;
  forerun_main_start(mainPre, 20, forerun_main_MPI_Init(&argc, &argv));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double start = MPI_Wtime();
  forerun_main_forward(1, &start, sizeof start);
  forerun_main_forward(2, &rows, sizeof rows);
  MPI_Type_vector(RECORDS - 1, 16, RECORD / sizeof(int), MPI_INT, &column);
  MPI_Type_commit(&column);
  forerun_main_forward_type(3, &column);
  MPI_Datatype second;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &second);
  forerun_main_forward_typed(4, strided, 2, second);
  MPI_Type_free(&second);

  if (rank == 0)
    makeFile(name);
  MPI_Barrier(MPI_COMM_WORLD);
  forerun_main_done(16, MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
  forerun_main_done(18, MPI_File_read_at(fh, 3 * RECORD, &header, 1, MPI_INT, MPI_STATUS_IGNORE));
  forerun_main_done(19, MPI_File_close(&fh));
  forerun_main_forward(17, NULL, 0);
  must(forerun_main_done(5, MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL,
                                          &fh)) == MPI_SUCCESS,
       "the file can be opened");
  for (int i = 0; i < ROUNDS; i++) {
    forerun_main_done(6, MPI_File_read_at(fh, (MPI_Offset)next * RECORD, record, RECORD, MPI_BYTE,
                                          MPI_STATUS_IGNORE));
    next = record[0];
  }
  index[0] = next;
  forerun_main_done(7, MPI_File_seek(fh, -2 * RECORD - 100, MPI_SEEK_END));
  forerun_main_done(8, MPI_File_read(fh, record, RECORD, MPI_BYTE, &status));
  forerun_main_done(9, MPI_File_read_all(fh, record, RECORD, MPI_BYTE, &status));
  forerun_main_done(8, MPI_File_read(fh, record, RECORD, MPI_BYTE, &status));
  MPI_Get_count(&status, MPI_BYTE, &count);
  must(count == 100, "a read that meets the end of the file is short");
  forerun_main_done(8, MPI_File_read(fh, record, RECORD, MPI_BYTE, &status));
  forerun_main_done(10, MPI_File_set_view(fh, RECORD, MPI_INT, column, "native", MPI_INFO_NULL));
  MPI_Type_size(column, &columnBytes);
  MPI_Type_get_extent(column, &lower, &columnExtent);
  MPI_Type_free(&column);
  int mark = 4711;
  MPI_Barrier(MPI_COMM_WORLD);
  forerun_main_done(11, MPI_File_write_at(fh, 0, &mark, 1, MPI_INT, MPI_STATUS_IGNORE));
  forerun_main_done(12, MPI_File_read_at(fh, 3, record, 100, MPI_INT, MPI_STATUS_IGNORE));
  forerun_main_done(8, MPI_File_read(fh, record, 1, MPI_INT, MPI_STATUS_IGNORE));
  index[1] = record[0];
  forerun_main_done(13, MPI_File_write(fh, record, 2, MPI_INT, MPI_STATUS_IGNORE));
  forerun_main_done(14, MPI_File_sync(fh));
  forerun_main_done(15, MPI_File_close(&fh));

  while (!atomic_load(&preHasEnded))
    sched_yield();
  must(seen.argc == 2 && strcmp(seen.file, name) == 0, "it began with main's arguments");
  must(seen.file != argv[1], "in a copy");
  must(strncmp(seen.path, path, sizeof seen.path - 1) == 0, "texts arrive");
  must(seen.nothing == NULL, "so does none");
  must(seen.start == start && seen.rows == rows, "values arrive");
  must(seen.strided[0] == 1 && seen.strided[2] == 3, "elements of a datatype arrive");
  must(seen.columnBytes == columnBytes && seen.columnExtent == columnExtent,
       "datatypes tell their size and extent");
  must(seen.unknown == MPI_ERR_TYPE, "what is no datatype is an error, and not the end");
  must(seen.header == header, "a file that has been closed can still be read");
  must(seen.index[0] == index[0], "the bytes that it fetched were the file's");
  must(seen.index[1] == 4711 && index[1] == 4711, "a fetch waits for the write before it");
  must(seen.whole == RECORD && seen.rest == 100 && seen.past == 0, "a status tells what came");
  must(MPI_Finalize() == MPI_SUCCESS, "MPI ends");
  if (rank == 0)
    remove(name);
  return 0;
}
