/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_PNETCDF_MODULE_H
#define FORERUN_PNETCDF_MODULE_H

#include "twinMpi.h"

/** What the module asks of libforerun; set by forerun_pnetcdf_begin. */
extern const forerun_twin_host *theHost;

#endif
