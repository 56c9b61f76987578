/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where the pre-execution thread says that a file pointer is, is what MPI-IO says, before the main
 * thread has come there: after reads, also at the end of the file, seeks, writes and a new view. So is
 * what it says of the view, and where it says that an offset of the view lies in the file.
 * The one argument names a file to be made. */

enum { kBytes = 1000, kMax = 256, kSites = 4 };

struct Answers {
  int count;
  long long values[kMax];
};

static struct Answers ofPre;
static atomic_int preIsOver;

static void note(struct Answers *answers, long long value) {
  if (answers->count < kMax)
    answers->values[answers->count++] = value;
}

/* What one thread does. */
struct Calls {
  MPI_Datatype everyOther;
  int (*position)(MPI_File, MPI_Offset *);
  int (*byteOffset)(MPI_File, MPI_Offset, MPI_Offset *);
  int (*getView)(MPI_File, MPI_Offset *, MPI_Datatype *, MPI_Datatype *, char *);
  int (*size)(MPI_Datatype, int *);
  int (*extent)(MPI_Datatype, MPI_Aint *, MPI_Aint *);
  int (*letGo)(MPI_Datatype *);
  void (*read)(MPI_File, int, MPI_Datatype);
  void (*write)(MPI_File, int);
  void (*seek)(MPI_File, MPI_Offset, int);
  void (*view)(MPI_File, MPI_Offset, MPI_Datatype, MPI_Datatype);
};

/* ---- on the pre-execution thread: 1 if it knows ---- */

static int prePosition(MPI_File file, MPI_Offset *to) {
  return forerun_pre_MPI_File_get_position(1, 1, file, to);
}
static int preByteOffset(MPI_File file, MPI_Offset offset, MPI_Offset *to) {
  return forerun_pre_MPI_File_get_byte_offset(1, 1, file, offset, to);
}
static int preGetView(MPI_File file, MPI_Offset *from, MPI_Datatype *etype, MPI_Datatype *filetype,
                      char *representation) {
  return forerun_pre_MPI_File_get_view(1, 4, file, from, etype, filetype, representation);
}
static void preRead(MPI_File file, int count, MPI_Datatype type) {
  forerun_pre_read(2, file, count, type);
}
static void preWrite(MPI_File file, int count) { forerun_pre_write(2, file, count, MPI_BYTE); }
static void preSeek(MPI_File file, MPI_Offset offset, int whence) {
  forerun_pre_seek(2, file, offset, whence);
}
static void preView(MPI_File file, MPI_Offset from, MPI_Datatype etype, MPI_Datatype filetype) {
  forerun_pre_set_view(2, file, from, etype, filetype, "native");
}
static const struct Calls kOfPreThread = {MPI_DATATYPE_NULL,
                                          prePosition,
                                          preByteOffset,
                                          preGetView,
                                          forerun_pre_MPI_Type_size,
                                          forerun_pre_MPI_Type_get_extent,
                                          forerun_pre_MPI_Type_free,
                                          preRead,
                                          preWrite,
                                          preSeek,
                                          preView};

/* ---- on the main thread: 1 if the pre-execution thread should know ---- */

static int beforeTheStart; /* the last seek led there: MPI does not move the pointer */

static int mainPosition(MPI_File file, MPI_Offset *to) {
  return !beforeTheStart && MPI_File_get_position(file, to) == MPI_SUCCESS;
}
static int mainByteOffset(MPI_File file, MPI_Offset offset, MPI_Offset *to) {
  return offset >= 0 && MPI_File_get_byte_offset(file, offset, to) == MPI_SUCCESS;
}
static int mainGetView(MPI_File file, MPI_Offset *from, MPI_Datatype *etype, MPI_Datatype *filetype,
                       char *representation) {
  return MPI_File_get_view(file, from, etype, filetype, representation) == MPI_SUCCESS;
}
static void mainRead(MPI_File file, int count, MPI_Datatype type) {
  static char bytes[2 * kBytes];
  MPI_File_read(file, bytes, count, type, MPI_STATUS_IGNORE);
}
static void mainWrite(MPI_File file, int count) {
  static char bytes[kBytes];
  MPI_File_write(file, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
}
static void mainSeek(MPI_File file, MPI_Offset offset, int whence) {
  beforeTheStart = MPI_File_seek(file, offset, whence) != MPI_SUCCESS;
}
static void mainView(MPI_File file, MPI_Offset from, MPI_Datatype etype, MPI_Datatype filetype) {
  MPI_File_set_view(file, from, etype, filetype, "native", MPI_INFO_NULL);
}
static const struct Calls kOfMain = {MPI_DATATYPE_NULL, mainPosition,  mainByteOffset,
                                     mainGetView,       MPI_Type_size, MPI_Type_get_extent,
                                     MPI_Type_free,     mainRead,      mainWrite,
                                     mainSeek,          mainView};

/* ---- what both threads execute ---- */

static void ask(const struct Calls *calls, struct Answers *answers, MPI_File file) {
  MPI_Offset value = -1;
  note(answers, calls->position(file, &value) ? value : -1);
}

/* The datatypes are duplicates, if not named ones: their handles differ. */
static void askForView(const struct Calls *calls, struct Answers *answers, MPI_File file) {
  MPI_Offset value = -1;
  for (int offset = -1; offset < 40; offset += 4) {
    value = -1;
    note(answers, calls->byteOffset(file, offset, &value) ? value : -1);
  }
  MPI_Datatype types[2];
  char representation[MPI_MAX_DATAREP_STRING] = "";
  if (!calls->getView(file, &value, &types[0], &types[1], representation)) {
    note(answers, -1);
    return;
  }
  note(answers, value);
  note(answers, strcmp(representation, "native"));
  for (int i = 0; i < 2; ++i) {
    MPI_Aint lower = -1, extent = -1;
    int bytes = -1;
    calls->size(types[i], &bytes);
    calls->extent(types[i], &lower, &extent);
    note(answers, bytes);
    note(answers, lower);
    note(answers, extent);
    if (types[i] != MPI_BYTE && types[i] != MPI_INT)
      calls->letGo(&types[i]);
  }
}

static void goThrough(const struct Calls *calls, struct Answers *answers, MPI_File file,
                      int isWritten) {
  ask(calls, answers, file);
  askForView(calls, answers, file);
  calls->read(file, 10, MPI_BYTE);
  ask(calls, answers, file);
  calls->seek(file, 100, MPI_SEEK_SET);
  ask(calls, answers, file);
  calls->seek(file, -37, MPI_SEEK_CUR);
  ask(calls, answers, file);
  if (isWritten) {
    calls->write(file, 25);
    ask(calls, answers, file);
  } else {
    calls->seek(file, -20, MPI_SEEK_END);
    ask(calls, answers, file);
    calls->read(file, 100, MPI_BYTE); /* there are only 20 */
    ask(calls, answers, file);
  }
  calls->seek(file, -5000, MPI_SEEK_CUR);
  ask(calls, answers, file);
  calls->seek(file, 3, MPI_SEEK_SET);
  ask(calls, answers, file);
  calls->view(file, 64, MPI_INT, calls->everyOther);
  ask(calls, answers, file);
  askForView(calls, answers, file);
  calls->read(file, 7, MPI_INT);
  ask(calls, answers, file);
  calls->seek(file, 2, MPI_SEEK_CUR);
  ask(calls, answers, file);
}

static int pre(int argc, char **argv) {
  (void)argc, (void)argv;
  static struct Answers answers;
  forerun_pre_lend(&answers, sizeof answers);
  struct Calls calls = kOfPreThread;
  MPI_Offset none = 0;
  note(&answers, forerun_pre_MPI_File_get_position(1, 1, MPI_FILE_NULL, &none));
  note(&answers, forerun_pre_MPI_File_get_byte_offset(1, 1, MPI_FILE_NULL, 0, &none));
  forerun_pre_receive_type(3, &calls.everyOther);
  const MPI_File read = forerun_pre_open(0), written = forerun_pre_open(0);
  goThrough(&calls, &answers, read, 0);
  goThrough(&calls, &answers, written, 1);
  forerun_pre_rand(); /* waits until nothing depends on a prediction */
  ofPre = answers;
  atomic_store(&preIsOver, 1);
  return 0;
}

static MPI_File openAs(const char *path, int amode) {
  MPI_File file;
  forerun_main_done(0, MPI_File_open(MPI_COMM_SELF, path, amode, MPI_INFO_NULL, &file));
  return file;
}

static void make(const char *path) {
  static char bytes[kBytes];
  FILE *out = fopen(path, "wb");
  memset(bytes, 'x', sizeof bytes);
  fwrite(bytes, 1, sizeof bytes, out);
  fclose(out);
}

int main(int argc, char **argv) {
  enum { kMaxMs = 60000 };
  struct Calls calls = kOfMain;
  forerun_main_begin(argc, argv);
  forerun_main_MPI_Init(&argc, &argv);
  make(argv[1]);
  MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &calls.everyOther);
  MPI_Type_commit(&calls.everyOther);
  forerun_main_start(pre, kSites, MPI_SUCCESS);
  forerun_main_forward_type(3, &calls.everyOther);
  MPI_File read = openAs(argv[1], MPI_MODE_RDONLY), written = openAs(argv[1], MPI_MODE_RDWR);
  for (int ms = 0; !atomic_load(&preIsOver); ++ms) {
    if (ms == kMaxMs) {
      fprintf(stderr, "the pre-execution thread does not come to its end\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    usleep(1000);
  }
  static struct Answers answers;
  note(&answers, 0);
  note(&answers, 0);
  goThrough(&calls, &answers, read, 0);
  goThrough(&calls, &answers, written, 1);
  int wrong = 0;
  for (int i = 0; i < answers.count; ++i)
    if (ofPre.values[i] != answers.values[i]) {
      printf("answer %d is %lld, not %lld\n", i, ofPre.values[i], answers.values[i]);
      ++wrong;
    }
  printf("%d answers, %d of the pre-execution thread\n", answers.count, ofPre.count);
  wrong += ofPre.count != answers.count;
  MPI_File_close(&read);
  MPI_File_close(&written);
  MPI_Type_free(&calls.everyOther);
  MPI_Finalize();
  return wrong != 0;
}
