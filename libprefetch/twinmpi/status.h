/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <mpi.h>

/** How many bytes there were. */
void statusSet(MPI_Status *status, MPI_Count bytes);
