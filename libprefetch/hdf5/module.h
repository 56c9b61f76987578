/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "twin/twinHost.h"

/** What the module asks of libforerun; set by forerun_hdf5_begin. */
extern const forerun_twin_host *theHost;

/** Of what libforerun looks up by name. */
#define FORERUN_EXPORT __attribute__((visibility("default")))
