/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange_calls.h"
#include "forerun/door.h"
#include "forerun/runtime.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rounds of every kind of communication, made by the main threads among themselves and by the
 * pre-execution threads among themselves. The first argument says how far they are apart:
 *   ahead   the main threads do not begin before the pre-execution threads have ended
 *   skewed  either may be the first
 *   alone   the pre-execution thread of the last process ends early
 *   off     the last process has Forerun switched off
 *   less    MPI does not give MPI_THREAD_MULTIPLE: all comes from the main threads
 * The pre-execution threads must see what the main threads see; with `ahead` they can only have it
 * from each other. */

enum { kRounds = 30, kEarlyEnd = 5, kSites = 33, kMax = 64 };

/* Poses as a patched MPI-IO, without which nothing is launched. */
__attribute__((visibility("default"))) int forerun_mpiio_register(const forerun_door *door) {
  return door->version == FORERUN_DOOR_VERSION ? 0 : 1;
}

/* What a thread has seen. */
struct Seen {
  long values[kRounds];
  int rounds;
  int handedOver; /* number of calls whose values came from the main thread */
};

static struct Seen ofPre;
static atomic_int preIsOver;
static const char *kind = "";
static int rank, size;
static MPI_Comm half; /* every other process */

/* ---- what both threads execute ---- */

/* After a call: values that did not come from the other processes come from the main thread.
 * Records the first `count` of `data`. */
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

/* Each process has a different number of elements, some none, with gaps between those of different
 * processes. */
static void playParts(const struct Calls *calls, struct Seen *seen, int round) {
  enum { kApart = 3 };
  const int root = (round + 1) % size, span = kApart * size;
  int counts[kMax], places[kMax], own[kMax], all[kMax] = {0}, one[kApart] = {0};
  for (int i = 0; i < size; ++i) {
    counts[i] = (i + round) % kApart;
    places[i] = i * kApart;
  }
  for (int i = 0; i < kMax; ++i)
    own[i] = rank * 100 + round + i * i;
  see(seen,
      calls->gatherv(13, 1, own, counts[rank], MPI_INT, all, counts, places, MPI_INT, root,
                     MPI_COMM_WORLD),
      13, all, span);
  see(seen,
      calls->scatterv(14, 1, all, counts, places, MPI_INT, one, counts[rank], MPI_INT, root,
                      MPI_COMM_WORLD),
      14, one, counts[rank]);
  see(seen,
      calls->allgatherv(15, 1, own, counts[rank], MPI_INT, all, counts, places, MPI_INT,
                        MPI_COMM_WORLD),
      15, all, span);
  see(seen, calls->reduceScatter(19, 1, own, one, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 19,
      one, counts[rank]);
  for (int i = 0; i < size; ++i)
    counts[i] = (rank + i + round) % kApart; /* as much as comes from there */
  see(seen,
      calls->alltoallv(17, 1, own, counts, places, MPI_INT, all, counts, places, MPI_INT,
                       MPI_COMM_WORLD),
      17, all, span);
  see(seen,
      calls->alltoallv(28, 1, MPI_IN_PLACE, NULL, NULL, MPI_INT, all, counts, places, MPI_INT,
                       MPI_COMM_WORLD),
      28, all, span);
}

/* The data to send is where the received data goes. */
static void playInPlace(const struct Calls *calls, struct Seen *seen, int round) {
  const int mine = (rank + 3) * 100 + round, root = (round + 2) % size;
  const void *atRoot = rank == root ? MPI_IN_PLACE : &mine;
  int one[1] = {mine}, all[kMax] = {0};
  see(seen, calls->reduce(20, 1, atRoot, one, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD), 20, one,
      1);
  one[0] = mine;
  see(seen, calls->allreduce(21, 1, MPI_IN_PLACE, one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 21,
      one, 1);
  one[0] += rank;
  see(seen, calls->scan(22, 1, MPI_IN_PLACE, one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 22, one, 1);
  see(seen, calls->exscan(23, 1, MPI_IN_PLACE, one, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), 23, one,
      rank > 0); /* the first process receives nothing */
  all[rank] = mine;
  see(seen, calls->gather(24, 1, atRoot, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD), 24,
      all, size);
  all[rank] = mine + 1;
  see(seen,
      calls->allgather(25, 1, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD),
      25, all, size);
  see(seen,
      calls->alltoall(26, 1, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD),
      26, all, size);
  see(seen,
      calls->reduceScatterBlock(27, 1, MPI_IN_PLACE, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 27,
      all, 1);
}

/* Two of each at one site before they are completed. */
static void playNonBlocking(const struct Calls *calls, struct Seen *seen, int round) {
  enum { kPairs = 2 };
  int got[kPairs] = {0}, sums[kPairs] = {0}, given[kPairs];
  MPI_Request requests[2 * kPairs];
  for (int i = 0; i < kPairs; ++i) {
    given[i] = rank * 10 + round + i;
    calls->irecv(29, &got[i], 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &requests[i]);
    calls->iallreduce(30, &given[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                      &requests[kPairs + i]);
  }
  for (int i = 0; i < kPairs; ++i)
    calls->send(31, 1, &given[i], 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD);
  calls->waitall(2 * kPairs, requests);
  see(seen, 1, 29, got, kPairs);
  see(seen, 1, 30, sums, kPairs);
}

static void playRound(const struct Calls *calls, struct Seen *seen, int round) {
  const int mine = (rank + 1) * 1000 + round * 7, root = round % size;
  int one[3] = {mine, mine + 1, mine + 2}, all[kMax] = {0};
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
    const int isReplaced =
        calls->sendrecvReplace(32, 1, one, 1, MPI_INT, (rank + size - 1) % size, round,
                               (rank + 1) % size, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    see(seen, isReplaced, 32, one, 1);
    playNonBlocking(calls, seen, round);
  }
  memset(all, 0, sizeof all);
  int each[kMax];
  for (int i = 0; i < size; ++i)
    each[i] = mine * (i + 1);
  see(seen, calls->alltoall(16, 1, each, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD), 16, all,
      size);
  see(seen, calls->reduceScatterBlock(18, 1, all, one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), 18,
      one, 1);
  playParts(calls, seen, round);
  playInPlace(calls, seen, round);
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
  forerun_pre_lend(&ofPre, sizeof ofPre);
  const int endsEarly = strcmp(kind, "alone") == 0 && rank == size - 1;
  play(&kOfPreThread, &ofPre, endsEarly ? kEarlyEnd : kRounds, (unsigned)rank + 1);
  forerun_pre_rand(); /* waits until nothing depends on a prediction */
  atomic_store(&preIsOver, 1);
  return 0;
}

static void awaitPre(void) {
  enum { kMaxMs = 60000 };
  for (int ms = 0; !atomic_load(&preIsOver); ++ms) {
    if (ms == kMaxMs) {
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
  if (strcmp(kind, "less") == 0) /* as many in each round: of some it would not be all */
    wrong |= ofPre.handedOver == 0 || ofPre.handedOver % kRounds != 0;
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
    forerun_main_forward_comm(11, &half); /* nobody receives it: it only matters that it is known */
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
