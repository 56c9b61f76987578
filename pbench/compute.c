/* SPDX-License-Identifier: Apache-2.0 */
#include "compute.h"

/* One pass: four chains of multiply and add, each value weighted by its place. */
static double pass(const double *values, long n, double factor) {
  double a = 0, b = 0, c = 0, d = 0;
  long i = 0;
  for (; i + 4 <= n; i += 4) {
    a = a * factor + values[i];
    b = b * factor + values[i + 1];
    c = c * factor + values[i + 2];
    d = d * factor + values[i + 3];
  }
  for (; i < n; i++)
    a = a * factor + values[i];
  return a + 2 * b + 3 * c + 4 * d;
}

double pb_compute(double sum, const double *values, long n, long iterations) {
  double factor = 0.999;
  for (long k = 0; k <= iterations; k++) {
    double now = pass(values, n, factor);
    sum += now;
    factor = 0.998 + 0.001 * (now - (double)(long)now); /* the next pass needs this one */
  }
  return sum;
}
