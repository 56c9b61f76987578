/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_GLUE_CONTIGUOUS_H
#define FORERUN_GLUE_CONTIGUOUS_H

#include <mpi.h>

/** 1 if `type` is contiguous, as MPICH understands it. The critical section of MPI-IO is held. */
int forerun_is_contiguous(MPI_Datatype type);

#endif
