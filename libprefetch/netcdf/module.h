/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "twin/twinHost.h"

#include <stdbool.h>

/** What the module asks of libforerun; set by forerun_netcdf_begin. */
extern const forerun_twin_host *theHost;

/** Of what libforerun looks up by name. */
#define FORERUN_EXPORT __attribute__((visibility("default")))

/** What the calls that netCDF makes of HDF5 are for (below.c). */
typedef struct Below {
  bool isForNobody;  /**< what is read: it is announced */
  bool isCollective; /**< by the program */
  bool isParallel;   /**< a file that is opened: by the program */
} Below;
extern Below below;
