/* SPDX-License-Identifier: Apache-2.0 */
#include "pendingOpens.h"

#include "module.h"

#include <stddef.h>

/** A wait takes all lead away. So many in a row after which nothing more was read of the file: the program opens
 * its files anew for each read, and there is nothing to be gained. */
enum { kMaxInVain = 4 };

static unsigned long calls;
static int inVain;

void pendingOpenNextCall(void) { calls++; }

uint64_t pendingOpenFind(PendingOpen *of) {
  if (theHost->find != NULL)
    of->file = theHost->find(theHost->context, of->name, of->file);
  return of->file;
}

uint64_t pendingOpenAwait(PendingOpen *of) {
  if (pendingOpenFind(of) != 0) {
    if (of->awaitedIn != calls)
      inVain = 0;
    return of->file;
  }
  if (theHost->find == NULL || of->awaitedIn == calls || inVain == kMaxInVain)
    return 0;
  inVain++;
  of->awaitedIn = calls;
  theHost->await(theHost->context);
  return pendingOpenFind(of);
}
