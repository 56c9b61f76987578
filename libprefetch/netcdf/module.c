/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include <stddef.h>

/** \file
 * libforerun_netcdf.so: what libforerun calls in the namespace of a twin of netCDF.
 */

const forerun_twin_host *theHost;

FORERUN_EXPORT const char *forerun_netcdf_begin(const forerun_twin_host *host) {
  theHost = host;
  return NULL;
}
