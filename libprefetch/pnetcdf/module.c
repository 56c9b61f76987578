/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* fopencookie */
#include "module.h"

#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** \file
 * libforerun_pnetcdf.so: what libforerun calls in the namespace of the twin.
 */

const forerun_twin_host *theHost;

static ssize_t drop(void *cookie, const char *text, size_t bytes) {
  (void)cookie, (void)text;
  return (ssize_t)bytes;
}

/** What the twin has to say the program's PnetCDF says. */
static int beSilent(void) {
  FILE *silent = fopencookie(NULL, "w", (cookie_io_functions_t){.write = drop});
  if (silent == NULL)
    return -1;
  stdout = stderr = silent;
  return 0;
}

/** Of drivers of PnetCDF's that write to other files than the one that is opened. */
static const char *unknownHint(void) {
  const char *hints = getenv("PNETCDF_HINTS");
  if (hints == NULL)
    return NULL;
  if (strstr(hints, "nc_burst_buf") != NULL)
    return "PNETCDF_HINTS sets nc_burst_buf";
  return strstr(hints, "pnetcdf_subfiling") != NULL ? "PNETCDF_HINTS sets pnetcdf_subfiling" : NULL;
}

FORERUN_EXPORT const char *forerun_pnetcdf_begin(const forerun_twin_host *host) {
  const char *refused = unknownHint();
  if (refused != NULL)
    return refused;
  if (beSilent() < 0)
    return "there is no memory";
  theHost = host;
  forerun_twin_mpi_begin(host);
  forerun_twin_mpi_reads(FORERUN_TWIN_IGNORE);
  return NULL;
}
