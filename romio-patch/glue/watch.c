/* SPDX-License-Identifier: Apache-2.0 */

/** \file
 * The watcher, which is notified of every read call as the program makes it: the driver sees other
 * ranges of a collective read, or of one with holes. The timer hears when each begins and ends.
 */

#include "dispatch.h"

forerun_watcher *forerun_read_watcher = NULL;
forerun_timer *forerun_read_timer = NULL;

int forerun_mpiio_watch(forerun_watcher *watcher, forerun_timer *timer) {
  forerun_read_watcher = watcher;
  forerun_read_timer = timer;
  return forerun_is_used() ? 0 : 1;
}
