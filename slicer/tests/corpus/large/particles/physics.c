/* SPDX-License-Identifier: Apache-2.0 */
#include "particles.h"

double kineticEnergy(const struct Particles *particles) {
  double energy = 0;
  for (uint32_t p = 0; p < particles->count; p++) {
    const float *v = particles->velocities[p];
    energy += ((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]) / 2;
  }
  return energy;
}

long histogram(const struct Particles *particles, double box, long *bins, int n) {
  long outside = 0;
  for (uint32_t p = 0; p < particles->count; p++) {
    int bin = (int)(particles->positions[p][0] / box * n);
    if (bin < 0 || bin >= n)
      outside++;
    else
      bins[bin]++;
  }
  return outside;
}

long numberSum(const struct Particles *particles) {
  long sum = 0;
  for (uint32_t p = 0; p < particles->count; p++)
    sum += particles->numbers[p] % 97;
  return sum;
}
