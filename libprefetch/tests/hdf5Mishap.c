/* SPDX-License-Identifier: Apache-2.0 */
#include "twin/hdf5Module.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Replaces libforerun_hdf5.so: a twin to which something happens. */

__attribute__((visibility("default"))) const char *
forerun_hdf5_begin(const forerun_twin_host *host) {
  (void)host;
  return NULL;
}

/** No function of a twin is called when the process ends: its thread may have left it at any
 * point. */
__attribute__((destructor)) static void mustNotBeCalled(void) { abort(); }

static volatile char *volatile nowhere;
static volatile int more = 1;

static int useUpTheStack(int depth) {
  volatile char some[4096];
  some[0] = (char)depth;
  return (more ? useUpTheStack(depth + 1) : 0) + some[0];
}

__attribute__((visibility("default"))) int forerun_hdf5_announce(const forerun_hdf5_read *read) {
  (void)read;
  static const char kSign[] = "the twin is entered\n";
  const char *kind = getenv("FORERUN_TEST_MISHAP");
  if (write(STDERR_FILENO, kSign, sizeof kSign - 1) < 0)
    return -1;
  if (strcmp(kind, "segv") == 0)
    *nowhere = 1;
  if (strcmp(kind, "abort") == 0)
    abort();
  if (strcmp(kind, "stack") == 0)
    return useUpTheStack(0);
  while (more)
    ;
  return 0;
}
