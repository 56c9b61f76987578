/* SPDX-License-Identifier: Apache-2.0 */
/* badMemory PATH: reads into memory that cannot be written to, or not all of it, each time after the
 * same bytes have been read (and kept, with FORERUN_CACHE=on). Prints what each read returned, where
 * the file pointer is, and what is in the memory before the first byte that cannot be written. That
 * has to be the same with a cache and without. The program's own handler of SIGSEGV is for its own
 * faults only. */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kPage = 4096, kPages = 32, kBytes = kPages * kPage, kRead = 8 * kPage };

static char good[kRead];
static int rank;
static const char *path;

/* ---- memory ---- */

enum Kind { kNull, kWild, kReadOnly, kNone, kHole, kHalf, kPastTheFile, kKinds };
static const char *const kNames[] = {"null", "wild", "read-only",    "none",
                                     "hole", "half", "past the file"};

/* How much of it can be written is returned. */
static size_t get(enum Kind kind, char **memory) {
  const int isOfFile = kind == kPastTheFile;
  int fd = -1;
  if (isOfFile) {
    FILE *some = tmpfile();
    fd = dup(fileno(some));
    fclose(some);
    if (ftruncate(fd, 3 * kPage) != 0)
      MPI_Abort(MPI_COMM_WORLD, 2);
  }
  *memory = mmap(NULL, kRead, PROT_READ | PROT_WRITE,
                 isOfFile ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
  if (isOfFile)
    close(fd);
  switch (kind) {
  case kNull:
    *memory = NULL;
    return 0;
  case kWild:
#ifdef __SANITIZE_ADDRESS__ /* which ends the program before the processor sees such an address */
    *memory = (char *)8;
#else
    *memory = (char *)0x8badf00d8badf00d;
#endif
    return 0;
  case kReadOnly:
    mprotect(*memory, kRead, PROT_READ);
    return 0;
  case kNone:
    mprotect(*memory, kRead, PROT_NONE);
    return 0;
  case kHole:
    mprotect(*memory + 5 * kPage, kPage, PROT_READ);
    return 5 * kPage;
  case kHalf:
    munmap(*memory + kRead / 2, kRead / 2);
    return kRead / 2;
  default:
    return 3 * kPage;
  }
}

/* ---- reads ---- */

enum Way { kAt, kPointer, kNonBlocking, kStridedFile, kStridedMemory, kCollective, kWays };
static const char *const kWayNames[] = {"at",           "pointer",        "non-blocking",
                                        "strided file", "strided memory", "collective"};

static MPI_File openFor(enum Way way) {
  MPI_File file;
  MPI_Info hints;
  MPI_Datatype tile, resized;
  MPI_Info_create(&hints);
  /* Else stock MPI-IO copies itself, and faults. */
  MPI_Info_set(hints, "romio_ds_read", "disable");
  MPI_Info_set(hints, "romio_no_indep_rw", "false");
  if (way == kStridedFile)
    MPI_Info_set(hints, "romio_cb_read", "disable");
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, hints, &file);
  MPI_Info_free(&hints);
  if (way != kStridedFile)
    return file;
  MPI_Type_contiguous(1000, MPI_BYTE, &tile);
  MPI_Type_create_resized(tile, 0, 2000, &resized);
  MPI_Type_commit(&resized);
  MPI_File_set_view(file, 0, MPI_BYTE, resized, "native", MPI_INFO_NULL);
  MPI_Type_free(&tile);
  MPI_Type_free(&resized);
  return file;
}

static int readIn(enum Way way, MPI_File file, char *to, MPI_Status *status) {
  MPI_Request request;
  MPI_Datatype pieces;
  int code;
  switch (way) {
  case kPointer:
    MPI_File_seek(file, 100, MPI_SEEK_SET);
    return MPI_File_read(file, to, kRead, MPI_BYTE, status);
  case kNonBlocking:
    code = MPI_File_iread_at(file, 100, to, kRead, MPI_BYTE, &request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, status);
  case kStridedMemory:
    MPI_Type_vector(kRead / 512, 256, 512, MPI_BYTE, &pieces);
    MPI_Type_commit(&pieces);
    code = MPI_File_read_at(file, 100, to, 1, pieces, status);
    MPI_Type_free(&pieces);
    return code;
  case kCollective:
    return MPI_File_read_at_all(file, 100 + rank * kRead, to, kRead, MPI_BYTE, status);
  default:
    return MPI_File_read_at(file, 100, to, kRead, MPI_BYTE, status);
  }
}

static unsigned sumOf(const char *bytes, size_t count) {
  unsigned sum = 1;
  for (size_t i = 0; i < count; i++)
    sum = sum * 31 + (unsigned char)bytes[i];
  return sum;
}

static void readInto(enum Way way, enum Kind kind) {
  MPI_File file = openFor(way);
  MPI_Status status;
  MPI_Offset position = -1;
  char *memory;
  int class = 0, count = -1;
  memset(&status, 0, sizeof status);
  for (int twice = 0; twice < 2; twice++)
    if (readIn(way, file, good, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      MPI_Abort(MPI_COMM_WORLD, 3);
  const size_t writable = get(kind, &memory);
  const int isBad = way != kCollective || rank == 1; /* there only one process */
  const int code = readIn(way, file, isBad ? memory : good, &status);
  if (code != MPI_SUCCESS)
    MPI_Error_class(code, &class);
  else
    MPI_Get_count(&status, MPI_BYTE, &count);
  MPI_File_get_position(file, &position);
  printf("%d: %s, %s: class %d, count %d, position %lld, memory %u\n", rank, kWayNames[way],
         kNames[kind], class, count, (long long)position, sumOf(isBad ? memory : good, writable));
  fflush(stdout);
  MPI_File_close(&file);
}

/* ---- handlers of the program ---- */

static sigjmp_buf back;
static volatile sig_atomic_t handled;

static void onFault(int signal) {
  (void)signal;
  handled++;
  siglongjmp(back, 1);
}

static void faultItself(void) {
  volatile char *none = mmap(NULL, kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (sigsetjmp(back, 1) == 0)
    *none = 1;
}

/* ---- threads ---- */

struct Reader {
  MPI_File file;
  long wrong;
};

static void *readAgainAndAgain(void *argument) {
  struct Reader *const reader = argument;
  MPI_File file = reader->file;
  char *const bad = mmap(NULL, kRead, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *const own = malloc(kRead);
  long wrong = 0;
  for (int i = 0; i < 200; i++) {
    wrong += MPI_File_read_at(file, 0, bad, kRead, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    wrong += MPI_File_read_at(file, 100, own, kRead, MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    wrong += memcmp(own, good, kRead) != 0;
  }
  free(own);
  reader->wrong = wrong;
  return NULL;
}

static void readInThreads(void) {
  pthread_t threads[3];
  MPI_File file = openFor(kAt);
  long wrong = 0;
  readIn(kAt, file, good, MPI_STATUS_IGNORE);
  struct Reader readers[3];
  for (int i = 0; i < 3; i++) {
    readers[i].file = file;
    pthread_create(&threads[i], NULL, readAgainAndAgain, &readers[i]);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], NULL);
    wrong += readers[i].wrong;
  }
  MPI_File_close(&file);
  printf("%d: threads: %ld wrong\n", rank, wrong);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPI_Wait's errors, too */
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 2)
    MPI_Abort(MPI_COMM_WORLD, 1);
  path = argv[1];
  if (rank == 0) {
    FILE *out = fopen(path, "wb");
    for (int i = 0; i < kBytes; i++)
      fputc(i * 7 / 3, out);
    fclose(out);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  static char stackMemory[1 << 16];
  const stack_t handlers = {.ss_sp = stackMemory, .ss_size = sizeof stackMemory};
  sigaltstack(&handlers, NULL);
  struct sigaction action = {.sa_handler = onFault, .sa_flags = SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  for (enum Way way = 0; way < kWays; way++)
    for (enum Kind kind = 0; kind < kKinds; kind++)
      readInto(way, kind);
  readInThreads();
  faultItself();
  printf("%d: %d faults of its own\n", rank, (int)handled);
  MPI_Finalize();
  return 0;
}
