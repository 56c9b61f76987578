/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "twinMpi.h"

/** What the module asks of libforerun; set by forerun_pnetcdf_begin. */
extern const forerun_twin_host *theHost;
