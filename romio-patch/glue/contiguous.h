/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <mpi.h>

/** 1 if `type` is contiguous, as MPICH understands it. The critical section of MPI-IO is held. */
int forerun_is_contiguous(MPI_Datatype type);

/** 1 if `type` is a named type that forerun_is_contiguous() has been asked about, and so a
 * committed one. Calls nothing of MPI. The critical section of MPI-IO is held. */
int forerun_is_known_named(MPI_Datatype type);
