/* SPDX-License-Identifier: Apache-2.0 */
/* What programs of NetCDF have in common. */
#ifndef NC_H
#define NC_H

#include "total.h"
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdlib.h>

static inline void check(int status) {
  if (status == NC_NOERR)
    return;
  fprintf(stderr, "%s\n", nc_strerror(status));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
