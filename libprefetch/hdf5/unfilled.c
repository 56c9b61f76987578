/* SPDX-License-Identifier: Apache-2.0 */
#include "unfilled.h"

#include "driver.h"

#include <stddef.h>

/** Beyond, all are. */
enum { kMaxUnfilled = 256 };

/** By its place in its file: the identifiers of one data set differ. */
typedef struct Place {
  const DriverFile *file;
  hobj_ref_t object;
} Place;

static Place unfilled[kMaxUnfilled];
static size_t count;

static Place placeOf(hid_t dataset) {
  Place place = {driverFileOf(dataset), 0};
  H5Rcreate(&place.object, dataset, ".", H5R_OBJECT, -1);
  return place;
}

static bool isThere(Place place) {
  for (size_t i = 0; i < count; i++)
    if (unfilled[i].file == place.file && unfilled[i].object == place.object)
      return true;
  return count == kMaxUnfilled;
}

void unfilledAdd(hid_t dataset) {
  const Place place = placeOf(dataset);
  if (!isThere(place))
    unfilled[count++] = place;
}

bool unfilledHas(hid_t dataset) { return count > 0 && isThere(placeOf(dataset)); }
