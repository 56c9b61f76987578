/* SPDX-License-Identifier: Apache-2.0 */
#include "exchange_calls.h"
#include "forerun/runtime.h"

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

static int mainScatterv(int site, int values, const void *from, const int *fromCounts,
                        const int *places, MPI_Datatype fromType, void *to, int toCount,
                        MPI_Datatype toType, int root, MPI_Comm comm) {
  MPI_Scatterv(from, fromCounts, places, fromType, to, toCount, toType, root, comm);
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

static int mainGatherv(int site, int values, const void *from, int fromCount, MPI_Datatype fromType,
                       void *to, const int *toCounts, const int *places, MPI_Datatype toType,
                       int root, MPI_Comm comm) {
  MPI_Gatherv(from, fromCount, fromType, to, toCounts, places, toType, root, comm);
  const int all = forerun_main_count_of_all(1, comm);
  forerun_main_forward_spread(site, to, forerun_main_count_at_root(all, root, comm), toCounts,
                              places, toType);
  return values;
}

static int mainAllgather(int site, int values, const void *from, int fromCount,
                         MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                         MPI_Comm comm) {
  MPI_Allgather(from, fromCount, fromType, to, toCount, toType, comm);
  forerun_main_forward_typed(site, to, forerun_main_count_of_all(toCount, comm), toType);
  return values;
}

static int mainAllgatherv(int site, int values, const void *from, int fromCount,
                          MPI_Datatype fromType, void *to, const int *toCounts, const int *places,
                          MPI_Datatype toType, MPI_Comm comm) {
  MPI_Allgatherv(from, fromCount, fromType, to, toCounts, places, toType, comm);
  forerun_main_forward_spread(site, to, forerun_main_count_of_all(1, comm), toCounts, places,
                              toType);
  return values;
}

static int mainAlltoall(int site, int values, const void *from, int fromCount,
                        MPI_Datatype fromType, void *to, int toCount, MPI_Datatype toType,
                        MPI_Comm comm) {
  MPI_Alltoall(from, fromCount, fromType, to, toCount, toType, comm);
  forerun_main_forward_typed(site, to, forerun_main_count_of_all(toCount, comm), toType);
  return values;
}

static int mainAlltoallv(int site, int values, const void *from, const int *fromCounts,
                         const int *fromPlaces, MPI_Datatype fromType, void *to,
                         const int *toCounts, const int *toPlaces, MPI_Datatype toType,
                         MPI_Comm comm) {
  MPI_Alltoallv(from, fromCounts, fromPlaces, fromType, to, toCounts, toPlaces, toType, comm);
  forerun_main_forward_spread(site, to, forerun_main_count_of_all(1, comm), toCounts, toPlaces,
                              toType);
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

static int mainReduceScatterBlock(int site, int values, const void *from, void *to, int count,
                                  MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return values * reduceMain(MPI_Reduce_scatter_block, site, from, to, count, type, op, comm);
}

static int mainReduceScatter(int site, int values, const void *from, void *to, const int *counts,
                             MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Reduce_scatter(from, to, counts, type, op, comm);
  forerun_main_forward_typed(site, to, counts[rank], type);
  return values;
}

/* Only the fact that the call was made is handed over. */
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

static int mainSendrecvReplace(int site, int values, void *buffer, int count, MPI_Datatype type,
                               int to, int outTag, int from, int inTag, MPI_Comm comm,
                               MPI_Status *status) {
  MPI_Sendrecv_replace(buffer, count, type, to, outTag, from, inTag, comm, status);
  forerun_main_forward_typed(site, buffer, count, type);
  return values;
}

static void mainIrecv(int site, void *buffer, int count, MPI_Datatype type, int from, int tag,
                      MPI_Comm comm, MPI_Request *request) {
  MPI_Irecv(buffer, count, type, from, tag, comm, request);
  forerun_main_defer(request);
  forerun_main_forward_typed(site, buffer, count, type);
}

static void mainIallreduce(int site, const void *from, void *to, int count, MPI_Datatype type,
                           MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  MPI_Iallreduce(from, to, count, type, op, comm, request);
  forerun_main_defer(request);
  forerun_main_forward_typed(site, to, count, type);
}

static void mainWaitall(int count, MPI_Request *requests) {
  forerun_main_completing(count, requests);
  for (int i = 0; i < count; ++i)
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  forerun_main_completed(requests);
}

static void preIrecv(int site, void *buffer, int count, MPI_Datatype type, int from, int tag,
                     MPI_Comm comm, MPI_Request *request) {
  (void)request;
  if (!forerun_pre_MPI_Irecv(site, 1, buffer, count, type, from, tag, comm))
    forerun_pre_expect(site, buffer);
}

static void preIallreduce(int site, const void *from, void *to, int count, MPI_Datatype type,
                          MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  (void)request;
  if (!forerun_pre_MPI_Allreduce(site, 1, from, to, count, type, op, comm))
    forerun_pre_expect(site, to);
}

static void preWaitall(int count, MPI_Request *requests) {
  (void)count, (void)requests;
  forerun_pre_receive_expected();
}

const struct Calls kOfMain = {
    mainBcast,         mainScatter,   mainScatterv,        mainGather,
    mainGatherv,       mainAllgather, mainAllgatherv,      mainAlltoall,
    mainAlltoallv,     mainReduce,    mainAllreduce,       mainReduceScatterBlock,
    mainReduceScatter, mainScan,      mainExscan,          mainSend,
    mainRecv,          mainSendrecv,  mainSendrecvReplace, mainIrecv,
    mainIallreduce,    mainWaitall};
const struct Calls kOfPreThread = {forerun_pre_MPI_Bcast,
                                   forerun_pre_MPI_Scatter,
                                   forerun_pre_MPI_Scatterv,
                                   forerun_pre_MPI_Gather,
                                   forerun_pre_MPI_Gatherv,
                                   forerun_pre_MPI_Allgather,
                                   forerun_pre_MPI_Allgatherv,
                                   forerun_pre_MPI_Alltoall,
                                   forerun_pre_MPI_Alltoallv,
                                   forerun_pre_MPI_Reduce,
                                   forerun_pre_MPI_Allreduce,
                                   forerun_pre_MPI_Reduce_scatter_block,
                                   forerun_pre_MPI_Reduce_scatter,
                                   forerun_pre_MPI_Scan,
                                   forerun_pre_MPI_Exscan,
                                   forerun_pre_MPI_Send,
                                   forerun_pre_MPI_Recv,
                                   forerun_pre_MPI_Sendrecv,
                                   forerun_pre_MPI_Sendrecv_replace,
                                   preIrecv,
                                   preIallreduce,
                                   preWaitall};
