/* SPDX-License-Identifier: Apache-2.0 */
/* What programs of PnetCDF have in common. */
#ifndef PNC_H
#define PNC_H

#include "total.h"
#include <pnetcdf.h>
#include <stdlib.h>

static inline void check(int status) {
  if (status == NC_NOERR)
    return;
  fprintf(stderr, "%s\n", ncmpi_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
