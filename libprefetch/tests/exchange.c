/* SPDX-License-Identifier: Apache-2.0 */
#include "forerun/door.h"
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rounds of every kind of communication, made by the main threads and by the pre-execution threads
 * each for themselves. The first argument says how far they are apart:
 *   ahead   the main threads do not begin before the pre-execution threads have ended
 *   skewed  either may be the first
 *   alone   the pre-execution thread of the last process ends early
 *   off     the last process has Forerun switched off
 * The pre-execution threads must have seen what the main threads see; with `ahead` they can only
 * have it from each other. */

enum { kRounds = 50, kEarlyEnd = 5, kSites = 13, kMost = 64 };

/* Stands for a patched MPI-IO, without which nothing is launched. */
__attribute__((visibility("default"))) int forerun_mpiio_register(const forerun_door *door) {
  return door->version == FORERUN_DOOR_VERSION ? 0 : 1;
}

/* What a thread has seen. */
struct Seen {
  long values[kRounds];
  int rounds;
  int handedOver; /* of the calls, so many got their values from the main thread */
};

static struct Seen ofPre;
static atomic_int preIsOver;
static const char *kind = "";
static int rank, size;
static MPI_Comm half; /* every other process */

/* ---- the main thread's calls, of the same form as the pre-execution thread's ---- */

static int mainBcast(int site, int values, void *buffer, int count, MPI_Datatype type, int root,
                     MPI_Comm comm) {
  MPI_Bcast(buffer, count, type, root, comm);
  forerun_main_forward_typed(site, buffer, count, type);
  return values;
}

static int mainScatter(int site, int values, const void *from, int fromCount, MPI_Datatype fromType,
                       void *to, int toCount, MPI_Datatype toType, int root, MPI_Comm comm) {
  MPI_Scatter(from, fromCount, fromType, to, toCount, toType, root, comm);
  forerun_main_forward_typed(site, to, toCount, toType);
  return values;
}

static int mainGather(int site, int values, const void *from, int fromCount, MPI_Datatype fromType,
                      void *to, int toCount, MPI_Datatype toType, int root, MPI_Comm comm) {
  MPI_Gather(from, fromCount, fromType, to, toCount, toType, root, comm);
  const int all = forerun_main_count_of_all(toCount, comm);
  forerun_main_forward_typed(site, to, forerun_main_count_at_root(all, root, comm), toType);
  return values;
}

static int mainAllgather(int site, int values, const void *from, int fromCount,
                         MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                         MPI_Comm comm) {
  MPI_Allgather(from, fromCount, fromType, to, toCount, toType, comm);
  forerun_main_forward_typed(site, to, forerun_main_count_of_all(toCount, comm), toType);
  return values;
}

static int mainReduce(int site, int values, const void *from, void *to, int count,
                      MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  MPI_Reduce(from, to, count, type, op, root, comm);
  forerun_main_forward_typed(site, to, forerun_main_count_at_root(count, root, comm), type);
  return values;
}

typedef int Reduction(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);

static int reduceMain(Reduction *function, int site, const void *from, void *to, int count,
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  function(from, to, count, type, op, comm);
  forerun_main_forward_typed(site, to, count, type);
  return 1;
}

static int mainAllreduce(int site, int values, const void *from, void *to, int count,
                         MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return values * reduceMain(MPI_Allreduce, site, from, to, count, type, op, comm);
}

static int mainScan(int site, int values, const void *from, void *to, int count, MPI_Datatype type,
                    MPI_Op op, MPI_Comm comm) {
  return values * reduceMain(MPI_Scan, site, from, to, count, type, op, comm);
}

static int mainExscan(int site, int values, const void *from, void *to, int count,
                      MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return values * reduceMain(MPI_Exscan, site, from, to, count, type, op, comm);
}

/* Nothing is handed over but that it has been made. */
static int mainSend(int site, int values, const void *buffer, int count, MPI_Datatype type, int to,
                    int tag, MPI_Comm comm) {
  MPI_Send(buffer, count, type, to, tag, comm);
  forerun_main_forward(site, NULL, 0);
  return values;
}

static int mainRecv(int site, int values, void *buffer, int count, MPI_Datatype type, int from,
                    int tag, MPI_Comm comm, MPI_Status *status) {
  MPI_Recv(buffer, count, type, from, tag, comm, status);
  forerun_main_forward_typed(site, buffer, count, type);
  forerun_main_forward(site, status, sizeof *status);
  return values;
}

static int mainSendrecv(int site, int values, const void *out, int outCount, MPI_Datatype outType,
                        int to, int outTag, void *in, int inCount, MPI_Datatype inType, int from,
                        int inTag, MPI_Comm comm, MPI_Status *status) {
  MPI_Sendrecv(out, outCount, outType, to, outTag, in, inCount, inType, from, inTag, comm, status);
  forerun_main_forward_typed(site, in, inCount, inType);
  return values;
}

/* ---- what both threads execute ---- */

struct Calls {
  int (*bcast)(int, int, void *, int, MPI_Datatype, int, MPI_Comm);
  int (*scatter)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
                 MPI_Comm);
  int (*gather)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
                MPI_Comm);
  int (*allgather)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
  int (*reduce)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
  int (*allreduce)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*scan)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*exscan)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*send)(int, int, const void *, int, MPI_Datatype, int, int, MPI_Comm);
  int (*recv)(int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
  int (*sendrecv)(int, int, const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype,
                  int, int, MPI_Comm, MPI_Status *);
};

static const struct Calls kOfMain = {mainBcast,  mainScatter,   mainGather,  mainAllgather,
                                     mainReduce, mainAllreduce, mainScan,    mainExscan,
                                     mainSend,   mainRecv,      mainSendrecv};
static const struct Calls kOfPreThread = {
    forerun_pre_MPI_Bcast,     forerun_pre_MPI_Scatter, forerun_pre_MPI_Gather,
    forerun_pre_MPI_Allgather, forerun_pre_MPI_Reduce,  forerun_pre_MPI_Allreduce,
    forerun_pre_MPI_Scan,      forerun_pre_MPI_Exscan,  forerun_pre_MPI_Send,
    forerun_pre_MPI_Recv,      forerun_pre_MPI_Sendrecv};

/* Behind a call: what did not come from the other processes comes from the main thread. Notes the
 * first `count` of `data`. */
static void see(struct Seen *seen, int come, int site, int *data, int count) {
  if (!come) {
    forerun_pre_receive(site, data, (size_t)-1);
    ++seen->handedOver;
  }
  long *value = &seen->values[seen->rounds];
  for (int i = 0; i < count; ++i)
    *value = *value * 31 + data[i];
}

/* In a ring. */
static void give(const struct Calls *calls, int round, const int *mine) {
  calls->send(9, 1, mine, 2, MPI_SHORT, (rank + 1) % size, round % 3, MPI_COMM_WORLD);
}

static void take(const struct Calls *calls, struct Seen *seen, int round) {
  int data[4] = {0};
  MPI_Status status = {0};
  const int come = calls->recv(10, 2, data, 3, MPI_INT, (rank + size - 1) % size, round % 3,
                               MPI_COMM_WORLD, &status);
  see(seen, come, 10, data, 1);
  if (!come)
    forerun_pre_receive(10, &status, sizeof status);
  MPI_Get_count(&status, MPI_SHORT, &data[0]);
  data[1] = status.MPI_SOURCE;
  data[2] = status.MPI_TAG;
  see(seen, 1, 10, data, 3);
}

static void playRound(const struct Calls *calls, struct Seen *seen, int round) {
  const int mine = (rank + 1) * 1000 + round * 7, root = round % size;
  int one[3] = {mine, mine + 1, mine + 2}, all[kMost] = {0};
  see(seen, calls->bcast(0, 1, one, 3, MPI_INT, root, MPI_COMM_WORLD), 0, one, 3);
  see(seen, calls->allgather(1, 1, &mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD), 1, all,
      size);
  see(seen, calls->allreduce(2, 1, all, one, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 2, one, 2);
  see(seen, calls->scan(3, 1, &mine, one, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), 3, one, 1);
  one[0] = 0; /* the first process receives nothing */
  see(seen, calls->exscan(4, 1, &mine, one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 4, one, 1);
  memset(all, 0, sizeof all);
  see(seen, calls->gather(5, 1, &mine, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD), 5, all,
      size);
  for (int i = 0; i < size; ++i)
    all[i] += i;
  see(seen, calls->scatter(6, 1, all, 1, MPI_INT, one, 1, MPI_INT, root, MPI_COMM_WORLD), 6, one,
      1);
  one[0] = 0; /* only the root receives */
  see(seen, calls->reduce(7, 1, &mine, one, 1, MPI_INT, MPI_MIN, root, MPI_COMM_WORLD), 7, one, 1);
  see(seen, calls->allreduce(8, 1, &mine, one, 1, MPI_INT, MPI_BXOR, half), 8, one, 1);
  if (size > 1) {
    if (rank % 2 == 0)
      give(calls, round, &mine);
    take(calls, seen, round);
    if (rank % 2 != 0)
      give(calls, round, &mine);
    const int come =
        calls->sendrecv(12, 1, &mine, 1, MPI_INT, (rank + size - 1) % size, round, one, 1, MPI_INT,
                        (rank + 1) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    see(seen, come, 12, one, 1);
  }
  ++seen->rounds;
}

static void play(const struct Calls *calls, struct Seen *seen, int rounds, unsigned random) {
  for (int round = 0; round < rounds; ++round) {
    if (strcmp(kind, "skewed") == 0 && rand_r(&random) % 16 == 0)
      usleep((useconds_t)(rand_r(&random) % 2000));
    playRound(calls, seen, round);
  }
}

static int pre(int argc, char **argv) {
  (void)argc, (void)argv;
  const int endsEarly = strcmp(kind, "alone") == 0 && rank == size - 1;
  play(&kOfPreThread, &ofPre, endsEarly ? kEarlyEnd : kRounds, (unsigned)rank + 1);
  atomic_store(&preIsOver, 1);
  return 0;
}

static void awaitPre(void) {
  enum { kMostMs = 60000 };
  for (int ms = 0; !atomic_load(&preIsOver); ++ms) {
    if (ms == kMostMs) {
      fprintf(stderr, "rank %d: the pre-execution thread does not come to its end\n", rank);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    usleep(1000);
  }
}

/* 1: the two threads have not seen the same. */
static int compare(const struct Seen *seen) {
  int wrong = ofPre.rounds == 0;
  for (int round = 0; round < ofPre.rounds; ++round)
    wrong |= seen->values[round] != ofPre.values[round];
  if (strcmp(kind, "ahead") == 0)
    wrong |= ofPre.handedOver != 0 || ofPre.rounds != kRounds;
  printf("rank %d of %d: %d rounds, %d values from the main thread: %s\n", rank, size, ofPre.rounds,
         ofPre.handedOver, wrong ? "WRONG" : "right");
  return wrong;
}

int main(int argc, char **argv) {
  kind = argc > 1 ? argv[1] : "";
  forerun_main_begin(argc, argv);
  forerun_main_exchange(forerun_main_MPI_Init(&argc, &argv));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  const int isOff = strcmp(kind, "off") == 0 && rank == size - 1;
  if (!isOff) {
    forerun_main_forward_comm(11, &half); /* nobody receives it: what counts is that it is known */
    forerun_main_start(pre, kSites, MPI_SUCCESS);
  }
  static struct Seen seen;
  if (strcmp(kind, "ahead") == 0)
    awaitPre();
  play(&kOfMain, &seen, kRounds, (unsigned)rank + 1000);
  int wrong = 0;
  if (!isOff) {
    awaitPre();
    wrong = compare(&seen);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return wrong;
}
