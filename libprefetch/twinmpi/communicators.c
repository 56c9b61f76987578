/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"
#include "types.h"

#include <mpi.h>
#include <string.h>

/** \file
 * The communicators of one process. What processes tell each other it has already, or has to move within
 * itself.
 */

static char dummy; /* what all communicators are */

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  (void)comm;
  *rank = 0;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  (void)comm;
  *size = 1;
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  (void)comm;
  *made = objectsAdd(kCommunicator, &dummy);
  return *made == kCommunicator ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  (void)key;
  *made = MPI_COMM_NULL;
  return color == MPI_UNDEFINED ? MPI_SUCCESS : MPI_Comm_dup(comm, made);
}

int MPI_Comm_split_type(MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made) {
  (void)info;
  return MPI_Comm_split(comm, kind, key, made);
}

int MPI_Comm_free(MPI_Comm *comm) {
  objectsRemove(kCommunicator, *comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm) {
  (void)comm;
  return MPI_SUCCESS;
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  (void)buffer, (void)count, (void)type, (void)root, (void)comm;
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  (void)op, (void)comm;
  return from == MPI_IN_PLACE ? MPI_SUCCESS : typesCopy(from, count, type, to, count, type);
}

int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  (void)root;
  return MPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Gather(const void *from, int fromCount, MPI_Datatype fromType, void *to, int toCount,
               MPI_Datatype toType, int root, MPI_Comm comm) {
  (void)root, (void)comm;
  return from == MPI_IN_PLACE ? MPI_SUCCESS
                              : typesCopy(from, fromCount, fromType, to, toCount, toType);
}

int MPI_Allgather(const void *from, int fromCount, MPI_Datatype fromType, void *to, int toCount,
                  MPI_Datatype toType, MPI_Comm comm) {
  return MPI_Gather(from, fromCount, fromType, to, toCount, toType, 0, comm);
}
