/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * Who is told of every read call, as the program makes it: what the driver sees of a collective
 * read, or of one with holes, are other ranges.
 */

#include "dispatch.h"

forerun_watcher *forerun_read_watcher = NULL;

void forerun_mpiio_watch(forerun_watcher *watcher) { forerun_read_watcher = watcher; }
