/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include "caller.h"
#include "twin/twinHost.h"

/** \file
 * libforerun_netcdf.so: what libforerun calls in the namespace of a twin of netCDF.
 */

const forerun_twin_host *theHost;

/** Of the module that drives HDF5, on which netCDF stands. */
extern const char *forerun_hdf5_begin(const forerun_twin_host *host);

FORERUN_EXPORT const char *forerun_netcdf_begin(const forerun_twin_host *host) {
  theHost = host;
  forerun_hdf5_is_below();
  return forerun_hdf5_begin(host);
}
