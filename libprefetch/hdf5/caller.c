/* SPDX-License-Identifier: Apache-2.0 */
#include "caller.h"

#include "module.h"

#include <stdint.h>
#include <string.h>

static bool isLibrary;
static const void *nobodys;
static size_t nobodysBytes;

FORERUN_EXPORT void forerun_hdf5_is_below(void) { isLibrary = true; }

FORERUN_EXPORT void forerun_hdf5_reads_for(const void *memory, size_t bytes) {
  nobodys = memory;
  nobodysBytes = bytes;
}

bool callerNeeds(const void *buffer) { return buffer != NULL && nobodys == NULL; }

void callerOwns(void *buffer, size_t bytes) {
  if (!isLibrary)
    theHost->own(theHost->context, buffer, bytes);
}

void callerGetsZeros(void *buffer, size_t bytes) {
  if (buffer != NULL && (uintptr_t)buffer - (uintptr_t)nobodys >= nobodysBytes)
    memset(buffer, 0, bytes);
}
