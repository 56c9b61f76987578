/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_TWINMPI_STATUS_H
#define FORERUN_TWINMPI_STATUS_H

#include <mpi.h>

/** How many bytes there were. */
void statusSet(MPI_Status *status, MPI_Count bytes);

#endif
