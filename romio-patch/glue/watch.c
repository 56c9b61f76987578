/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * The watcher, which is notified of every read call as the program makes it: the driver sees other
 * ranges of a collective read, or of one with holes.
 */

#include "dispatch.h"

forerun_watcher *forerun_read_watcher = NULL;

void forerun_mpiio_watch(forerun_watcher *watcher) { forerun_read_watcher = watcher; }
