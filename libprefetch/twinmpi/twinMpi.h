/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * What a module tells the small MPI of its twin: which files there are, and what becomes of reads. Until
 * a host is known, no file can be opened. One thread.
 */

#include "twin/twinHost.h"

#define FORERUN_EXPORT __attribute__((visibility("default")))

FORERUN_EXPORT void forerun_twin_mpi_begin(const forerun_twin_host *host);

/** What MPI_File_open opens from now on, whatever name it is given: a file of the host's; 0: nothing, where
 * nothing can be read. */
FORERUN_EXPORT void forerun_twin_mpi_opens(uint64_t file);

typedef enum forerun_twin_mpi_read {
  FORERUN_TWIN_FETCH,    /**< at first: through the host, in whose cache it then is */
  FORERUN_TWIN_ANNOUNCE, /**< the host is told; the buffer is left alone */
  FORERUN_TWIN_IGNORE,   /**< the buffer is left alone */
} forerun_twin_mpi_read;

/** What becomes of reads from now on. Of what is written the host is told in any case, and no more. */
FORERUN_EXPORT void forerun_twin_mpi_reads(forerun_twin_mpi_read as);
