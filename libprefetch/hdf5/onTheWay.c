/* SPDX-License-Identifier: Apache-2.0 */
#include "onTheWay.h"

#include "module.h"

#include <stddef.h>

/** A wait takes all lead away. So many in a row after which nothing more was read of the file: the program opens
 * its files anew for each read, and there is nothing to be gained. */
enum { kMostInVain = 4 };

static unsigned long calls;
static int inVain;

void onTheWayNextCall(void) { calls++; }

uint64_t onTheWayFind(OnTheWay *of) {
  if (theHost->find != NULL)
    of->file = theHost->find(theHost->context, of->name, of->file);
  return of->file;
}

uint64_t onTheWayAwait(OnTheWay *of) {
  if (onTheWayFind(of) != 0) {
    if (of->awaitedIn != calls)
      inVain = 0;
    return of->file;
  }
  if (theHost->find == NULL || of->awaitedIn == calls || inVain == kMostInVain)
    return 0;
  inVain++;
  of->awaitedIn = calls;
  theHost->await(theHost->context);
  return onTheWayFind(of);
}
