/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"

#include <math.h>

double fieldAt(double time, double x, double y, double z) {
  const double fromSpot = x - 0.5 - 0.3 * sin(time);
  const double distance2 = fromSpot * fromSpot + (y - 0.5) * (y - 0.5) + (z - 0.5) * (z - 0.5);
  return 2 + sin(6 * x - time) * cos(4 * y + 2 * z) + exp(-16 * distance2);
}
