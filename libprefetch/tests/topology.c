/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/door.h"
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What the pre-execution thread knows of communicators is what MPI says of them, before the main
 * thread has asked: also of one whose handle another had before. Of one that has not been handed
 * over, and where MPI would report an error, it knows nothing. */

enum { kComms = 6, kSites = 8, kFar = 5, kDims = 3, kMax = 4096 };

/* Poses as a patched MPI-IO, without which nothing is launched. */
__attribute__((visibility("default"))) int forerun_mpiio_register(const forerun_door *door) {
  return door->version == FORERUN_DOOR_VERSION ? 0 : 1;
}

struct Answers {
  int count, values[kMax];
};

static MPI_Comm comms[kComms];
static struct Answers ofPre;
static atomic_int preIsOver;

static void note(struct Answers *answers, int value) {
  if (answers->count < kMax)
    answers->values[answers->count++] = value;
}

static void noteAll(struct Answers *answers, int isKnown, const int *values, int count) {
  note(answers, isKnown);
  for (int i = 0; isKnown && i < count; ++i)
    note(answers, values[i]);
}

/* ---- the main thread's questions: 1 if MPI answers ---- */

static int isGrid(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  MPI_Topo_test(comm, &topology);
  return topology == MPI_CART;
}
static int mainRank(int site, int values, MPI_Comm comm, int *rank) {
  (void)site, (void)values;
  return MPI_Comm_rank(comm, rank) == MPI_SUCCESS;
}
static int mainSize(int site, int values, MPI_Comm comm, int *size) {
  (void)site, (void)values;
  return MPI_Comm_size(comm, size) == MPI_SUCCESS;
}
static int mainCoords(int site, int values, MPI_Comm comm, int rank, int most, int *coords) {
  (void)site, (void)values;
  return isGrid(comm) && MPI_Cart_coords(comm, rank, most, coords) == MPI_SUCCESS;
}
static int mainCartRank(int site, int values, MPI_Comm comm, const int *coords, int *rank) {
  (void)site, (void)values;
  return isGrid(comm) && MPI_Cart_rank(comm, coords, rank) == MPI_SUCCESS;
}
static int mainShift(int site, int values, MPI_Comm comm, int direction, int distance, int *source,
                     int *target) {
  (void)site, (void)values;
  return isGrid(comm) && MPI_Cart_shift(comm, direction, distance, source, target) == MPI_SUCCESS;
}
static int mainGet(int site, int values, MPI_Comm comm, int most, int *dims, int *periods,
                   int *coords) {
  (void)site, (void)values;
  return isGrid(comm) && MPI_Cart_get(comm, most, dims, periods, coords) == MPI_SUCCESS;
}
static int mainDims(int site, int values, MPI_Comm comm, int *dims) {
  (void)site, (void)values;
  return isGrid(comm) && MPI_Cartdim_get(comm, dims) == MPI_SUCCESS;
}

struct Calls {
  int (*rank)(int, int, MPI_Comm, int *);
  int (*size)(int, int, MPI_Comm, int *);
  int (*coords)(int, int, MPI_Comm, int, int, int *);
  int (*cartRank)(int, int, MPI_Comm, const int *, int *);
  int (*shift)(int, int, MPI_Comm, int, int, int *, int *);
  int (*get)(int, int, MPI_Comm, int, int *, int *, int *);
  int (*dims)(int, int, MPI_Comm, int *);
};

static const struct Calls kOfMain = {mainRank,  mainSize, mainCoords, mainCartRank,
                                     mainShift, mainGet,  mainDims};
static const struct Calls kOfPreThread = {forerun_pre_MPI_Comm_rank,   forerun_pre_MPI_Comm_size,
                                          forerun_pre_MPI_Cart_coords, forerun_pre_MPI_Cart_rank,
                                          forerun_pre_MPI_Cart_shift,  forerun_pre_MPI_Cart_get,
                                          forerun_pre_MPI_Cartdim_get};

/* ---- what both threads execute ---- */

static void ask(const struct Calls *calls, struct Answers *answers, MPI_Comm comm) {
  int one[kDims] = {0}, other[kDims] = {0}, third[kDims] = {0}, dims = kDims, size = 1;
  noteAll(answers, calls->rank(0, 1, comm, one), one, 1);
  noteAll(answers, calls->size(1, 1, comm, one), one, 1);
  size = one[0];
  const int hasGrid = calls->dims(2, 1, comm, one);
  noteAll(answers, hasGrid, one, 1);
  if (hasGrid)
    dims = one[0];
  noteAll(answers, calls->get(3, 3, comm, kDims, one, other, third), one, dims);
  for (int i = 0; i < dims; ++i)
    note(answers, 100 * other[i] + third[i]);
  for (int rank = 0; rank < size; ++rank)
    noteAll(answers, calls->coords(4, 1, comm, rank, kDims, one), one, dims);
  for (int direction = 0; direction < dims; ++direction)
    for (int distance = -kFar; distance <= kFar; ++distance) {
      noteAll(answers, calls->shift(5, 2, comm, direction, distance, one, other), one, 1);
      note(answers, other[0]);
    }
  for (int i = 0; i < 4 * kFar * kFar; ++i) {
    const int coords[kDims] = {i % (2 * kFar) - kFar, i / (2 * kFar) - kFar, i % 3 - 1};
    noteAll(answers, calls->cartRank(6, 1, comm, coords, one), one, 1);
  }
}

static int pre(int argc, char **argv) {
  (void)argc, (void)argv;
  static struct Answers answers;
  forerun_pre_lend(&answers, sizeof answers);
  for (int i = 0; i < kComms; ++i)
    ask(&kOfPreThread, &answers, comms[i]);
  int none = 0;
  note(&answers, forerun_pre_MPI_Comm_rank(0, 1, MPI_COMM_NULL, &none));
  forerun_pre_rand(); /* waits until nothing depends on a prediction */
  ofPre = answers;
  atomic_store(&preIsOver, 1);
  return 0;
}

static void makeComms(void) {
  int size = 0, rank = 0, dims[kDims] = {0}, remaining[kDims] = {0, 1, 1};
  const int periods[kDims] = {1, 0, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(size, kDims, dims);
  comms[0] = MPI_COMM_WORLD;
  comms[1] = MPI_COMM_SELF;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
  forerun_main_forward_comm(7,
                            &comms[2]); /* nobody receives it: it only matters that it is known */
  MPI_Comm_free(&comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]); /* by the same handle, in most cases */
  forerun_main_forward_comm(7, &comms[2]);
  forerun_main_forward_comm(7, &comms[2]);
  MPI_Cart_create(MPI_COMM_WORLD, kDims, dims, periods, 0, &comms[3]);
  forerun_main_forward_comm(7, &comms[3]);
  MPI_Cart_sub(comms[3], remaining, &comms[4]);
  forerun_main_forward_comm(7, &comms[4]);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &comms[5]);
  forerun_main_forward_comm(7, &comms[5]);
}

int main(int argc, char **argv) {
  enum { kMaxMs = 60000 };
  forerun_main_begin(argc, argv);
  forerun_main_MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  makeComms();
  forerun_main_start(pre, kSites, MPI_SUCCESS);
  for (int ms = 0; !atomic_load(&preIsOver); ++ms) {
    if (ms == kMaxMs) {
      fprintf(stderr, "the pre-execution thread does not come to its end\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    usleep(1000);
  }
  static struct Answers answers;
  for (int i = 0; i < kComms; ++i) {
    MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    ask(&kOfMain, &answers, comms[i]);
  }
  note(&answers, 0);
  int wrong = ofPre.count != answers.count || answers.count == kMax ||
              memcmp(ofPre.values, answers.values, sizeof answers.values) != 0;
  printf("%d answers, %d of the pre-execution thread: %s\n", answers.count, ofPre.count,
         wrong ? "WRONG" : "right");
  for (int i = 2; i < kComms; ++i)
    MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return wrong;
}
