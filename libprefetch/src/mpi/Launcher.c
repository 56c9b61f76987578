/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mpi/Launcher.h"

#include <stdlib.h>

/* Of Hydra (also Intel's), Open MPI, PMIx, Slurm; the first that is set counts. */
static const char *const kRank[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID",
                                    NULL};
static const char *const kOnNode[] = {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", NULL};

/* The number that the first of them gives; `otherwise` if there is none. */
static long number(const char *const *names, long otherwise) {
  for (; *names; names++) {
    const char *const text = secure_getenv(*names);
    char *end;
    if (!text)
      continue;
    const long value = strtol(text, &end, 10);
    return end == text ? otherwise : value;
  }
  return otherwise;
}

int forerun_is_first_process(void) { return number(kRank, 0) == 0; }

int forerun_processes_on_node(void) { return (int)number(kOnNode, 0); }
