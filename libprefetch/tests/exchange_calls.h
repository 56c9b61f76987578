/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <mpi.h>

/* Communication as a sliced program has it: the main thread's calls, which hand over their results,
 * and the pre-execution thread's, in the same form. Each returns what the exchange returns; the
 * results of the main thread's are meaningless. */
struct Calls {
  int (*bcast)(int, int, void *, int, MPI_Datatype, int, MPI_Comm);
  int (*scatter)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
                 MPI_Comm);
  int (*scatterv)(int, int, const void *, const int *, const int *, MPI_Datatype, void *, int,
                  MPI_Datatype, int, MPI_Comm);
  int (*gather)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
                MPI_Comm);
  int (*gatherv)(int, int, const void *, int, MPI_Datatype, void *, const int *, const int *,
                 MPI_Datatype, int, MPI_Comm);
  int (*allgather)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
  int (*allgatherv)(int, int, const void *, int, MPI_Datatype, void *, const int *, const int *,
                    MPI_Datatype, MPI_Comm);
  int (*alltoall)(int, int, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
  int (*alltoallv)(int, int, const void *, const int *, const int *, MPI_Datatype, void *,
                   const int *, const int *, MPI_Datatype, MPI_Comm);
  int (*reduce)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
  int (*allreduce)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*reduceScatterBlock)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*reduceScatter)(int, int, const void *, void *, const int *, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*scan)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*exscan)(int, int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*send)(int, int, const void *, int, MPI_Datatype, int, int, MPI_Comm);
  int (*recv)(int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
  int (*sendrecv)(int, int, const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype,
                  int, int, MPI_Comm, MPI_Status *);
  int (*sendrecvReplace)(int, int, void *, int, MPI_Datatype, int, int, int, int, MPI_Comm,
                         MPI_Status *);
  /* Non-blocking calls, always with one value, and their completion. */
  void (*irecv)(int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
  void (*iallreduce)(int, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
  void (*waitall)(int, MPI_Request *);
};

extern const struct Calls kOfMain, kOfPreThread;
