/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * What the slots hold where MPI is the one that this library was built for.
 */

#include "forerun/door.h"
#include "slots.h"

#include <mpi.h>

/** ROMIO's, which knows nothing of versions. */
int forerun_romio_register(const forerun_door *door);

/** 0: MPI is not the one, and every call goes to the next library. */
int forerun_is_used(void);

extern forerun_watcher *forerun_read_watcher; /**< null: nobody watches */
extern forerun_timer *forerun_read_timer;     /**< likewise */
