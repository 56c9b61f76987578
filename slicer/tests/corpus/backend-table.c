/* SPDX-License-Identifier: Apache-2.0 */
/* Proves: a benchmark's table of backends, where one transfer function writes and reads through a
 * pointer that is cast to the one type of both, and tries again where less has come.
 * The slicer must tell by the pointer, at run time, which of MPI's functions it is, and announce the
 * reads at random offsets. Of a read whose status alone is needed it must not wait for the bytes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTransfer = 2048, kPerRank = 40, kTries = 5 };
enum Access { Write, Read };

typedef struct {
  int collective;
  const char *hints;
} Options;
typedef struct {
  MPI_File file;
  FILE *stream;
} Handle;
typedef struct {
  const char *name;
  Options *(*options)(void);
  Handle *(*open)(const char *path, enum Access access, const Options *options);
  long (*transfer)(enum Access access, Handle *handle, void *buffer, long length, MPI_Offset at,
                   const Options *options);
  void (*close)(Handle *handle);
} Backend;

static void *allocate(size_t bytes) {
  void *result = malloc(bytes);
  if (!result)
    exit(1);
  return result;
}

static Options *newOptions(void) {
  Options *result = allocate(sizeof *result);
  memset(result, 0, sizeof *result);
  return result;
}

static Handle *mpiOpen(const char *path, enum Access access, const Options *options) {
  Handle *handle = allocate(sizeof *handle);
  MPI_Info info = MPI_INFO_NULL;
  if (options->hints) {
    MPI_Info_create(&info);
    MPI_Info_set(info, options->hints, "enable");
  }
  int mode = access == Write ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY;
  MPI_File_open(MPI_COMM_WORLD, path, mode, info, &handle->file);
  return handle;
}

static long mpiTransfer(enum Access access, Handle *handle, void *buffer, long length,
                        MPI_Offset at, const Options *options) {
  typedef int (*Call)(MPI_File, MPI_Offset, void *, MPI_Count, MPI_Datatype, MPI_Status *);
  Call one, all;
  MPI_Status status;
  MPI_Count bytes;
  if (access == Write) {
    one = (Call)MPI_File_write_at_c;
    all = (Call)MPI_File_write_at_all_c;
  } else {
    one = MPI_File_read_at_c;
    all = MPI_File_read_at_all_c;
  }
  for (int tries = 0, again = 1; again; tries++) {
    (options->collective ? all : one)(handle->file, at, buffer, length, MPI_BYTE, &status);
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    again = bytes != length;
    if (again && tries == kTries)
      return bytes;
  }
  return length;
}

static void mpiClose(Handle *handle) {
  MPI_File_close(&handle->file);
  free(handle);
}

static Handle *streamOpen(const char *path, enum Access access, const Options *options) {
  Handle *handle = allocate(sizeof *handle);
  handle->stream = fopen(path, access == Write ? "r+b" : "rb");
  if (!handle->stream && options->collective)
    fprintf(stderr, "cannot open %s\n", path);
  return handle;
}

static long streamTransfer(enum Access access, Handle *handle, void *buffer, long length,
                           MPI_Offset at, const Options *options) {
  (void)options;
  fseek(handle->stream, at, SEEK_SET);
  return (long)(access == Write ? fwrite(buffer, 1, length, handle->stream)
                                : fread(buffer, 1, length, handle->stream));
}

static void streamClose(Handle *handle) {
  fclose(handle->stream);
  free(handle);
}

static const Backend mpiBackend = {"mpi", newOptions, mpiOpen, mpiTransfer, mpiClose};
static const Backend streamBackend = {"stream", newOptions, streamOpen, streamTransfer,
                                      streamClose};
static const Backend *const backends[] = {&streamBackend, &mpiBackend, NULL};
static const Backend *backend;

static const Backend *selected(const char *name) {
  for (const Backend *const *each = backends; *each; each++)
    if (strcmp((*each)->name, name) == 0)
      return *each;
  return NULL;
}

static unsigned state;
static unsigned next(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

/* The transfers that are this rank's, in a random order. */
static long *offsetsOf(int rank, int ranks, unsigned seed, int *count) {
  int total = ranks * kPerRank;
  state = seed;
  *count = 0;
  for (int i = 0; i < total; i++)
    *count += (int)(next() % (unsigned)ranks) == rank;
  long *result = allocate(sizeof(long) * (size_t)(*count + 1));
  state = seed;
  for (int i = 0, at = 0; i < total; i++)
    if ((int)(next() % (unsigned)ranks) == rank)
      result[at++] = (long)i * kTransfer;
  for (int i = 0; i < *count; i++) {
    int other = (int)(next() % (unsigned)*count);
    long kept = result[other];
    result[other] = result[i];
    result[i] = kept;
  }
  return result;
}

static void fill(unsigned *buffer, long offset) {
  for (int i = 0; i < kTransfer / (int)sizeof *buffer; i++)
    buffer[i] = (unsigned)offset * 31u + (unsigned)i;
}

static long errorsIn(const unsigned *buffer, long offset) {
  long errors = 0;
  for (int i = 0; i < kTransfer / (int)sizeof *buffer; i++)
    errors += buffer[i] != (unsigned)offset * 31u + (unsigned)i;
  return errors;
}

static long pass(enum Access access, int rank, int ranks, const Options *options) {
  unsigned *buffer = allocate(kTransfer);
  int count;
  long errors = 0, *offsets = offsetsOf(rank, ranks, 17, &count);
  Handle *handle = backend->open("backend-table.dat", access, options);
  for (int i = 0; i < count; i++) {
    if (access == Write)
      fill(buffer, offsets[i]);
    if (backend->transfer(access, handle, buffer, kTransfer, offsets[i], options) != kTransfer)
      MPI_Abort(MPI_COMM_WORLD, 1);
    if (access == Read)
      errors += errorsIn(buffer, offsets[i]);
  }
  backend->close(handle);
  free(offsets);
  free(buffer);
  return errors;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  backend = selected(argc > 1 ? argv[1] : "mpi");
  if (!backend)
    MPI_Abort(MPI_COMM_WORLD, 2);
  Options *options = backend->options();
  pass(Write, rank, ranks, options);
  MPI_Barrier(MPI_COMM_WORLD);
  long errors = pass(Read, rank, ranks, options), all = 0;
  MPI_Reduce(&errors, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("backend-table: %s, %ld errors\n", backend->name, all);
  free(options);
  MPI_Finalize();
  return 0;
}
