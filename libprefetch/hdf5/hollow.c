/* SPDX-License-Identifier: Apache-2.0 */
#include "hollow.h"

#include "driver.h"

#include <stddef.h>

/** Beyond, all are. */
enum { kMostHollow = 256 };

/** By its place in its file: the identifiers of one data set differ. */
typedef struct Place {
  const DriverFile *file;
  hobj_ref_t object;
} Place;

static Place hollow[kMostHollow];
static size_t count;

static Place placeOf(hid_t dataset) {
  Place place = {driverFileOf(dataset), 0};
  H5Rcreate(&place.object, dataset, ".", H5R_OBJECT, -1);
  return place;
}

static bool isThere(Place place) {
  for (size_t i = 0; i < count; i++)
    if (hollow[i].file == place.file && hollow[i].object == place.object)
      return true;
  return count == kMostHollow;
}

void hollowAdd(hid_t dataset) {
  const Place place = placeOf(dataset);
  if (!isThere(place))
    hollow[count++] = place;
}

bool hollowHas(hid_t dataset) { return count > 0 && isThere(placeOf(dataset)); }
