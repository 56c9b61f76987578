/* SPDX-License-Identifier: Apache-2.0 */
#include "convolution.h"

#include <complex.h> /* ahead of fftw3.h: its complex numbers are C's then */
#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

struct Convolver {
  long size;
  double *first, *second, *result;
  fftw_complex *firstSpectrum, *secondSpectrum;
  fftw_plan forwardFirst, forwardSecond, backward;
};

struct Convolver *newConvolver(long size) {
  struct Convolver *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  const int n = (int)size;
  const size_t elements = (size_t)size * (size_t)size;
  const size_t frequencies = (size_t)size * (size_t)(size / 2 + 1);
  c->size = size;
  c->first = fftw_alloc_real(elements);
  c->second = fftw_alloc_real(elements);
  c->result = fftw_alloc_real(elements);
  c->firstSpectrum = fftw_alloc_complex(frequencies);
  c->secondSpectrum = fftw_alloc_complex(frequencies);
  if (c->first && c->second && c->result && c->firstSpectrum && c->secondSpectrum) {
    /* FFTW_ESTIMATE: the same plan, and so the same rounding, on each rank and in each run. */
    c->forwardFirst = fftw_plan_dft_r2c_2d(n, n, c->first, c->firstSpectrum, FFTW_ESTIMATE);
    c->forwardSecond = fftw_plan_dft_r2c_2d(n, n, c->second, c->secondSpectrum, FFTW_ESTIMATE);
    c->backward = fftw_plan_dft_c2r_2d(n, n, c->firstSpectrum, c->result, FFTW_ESTIMATE);
  }
  if (!c->forwardFirst || !c->forwardSecond || !c->backward) {
    deleteConvolver(c);
    return NULL;
  }
  return c;
}

void deleteConvolver(struct Convolver *c) {
  if (c->forwardFirst)
    fftw_destroy_plan(c->forwardFirst);
  if (c->forwardSecond)
    fftw_destroy_plan(c->forwardSecond);
  if (c->backward)
    fftw_destroy_plan(c->backward);
  fftw_free(c->first);
  fftw_free(c->second);
  fftw_free(c->result);
  fftw_free(c->firstSpectrum);
  fftw_free(c->secondSpectrum);
  free(c);
}

double *firstTile(struct Convolver *c) { return c->first; }
double *secondTile(struct Convolver *c) { return c->second; }
const double *resultTile(const struct Convolver *c) { return c->result; }

void convolve(struct Convolver *c) {
  fftw_execute(c->forwardFirst);
  fftw_execute(c->forwardSecond);
  const double scale = 1.0 / ((double)c->size * (double)c->size);
  const long frequencies = c->size * (c->size / 2 + 1);
  for (long i = 0; i < frequencies; i++)
    c->firstSpectrum[i] *= c->secondSpectrum[i] * scale;
  fftw_execute(c->backward);
}

static double directAt(const struct Convolver *c, long row, long column) {
  const long n = c->size;
  double sum = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      sum += c->first[i * n + j] * c->second[(row - i + n) % n * n + (column - j + n) % n];
  return sum;
}

double distanceFromDirect(const struct Convolver *c) {
  double farthest = 0;
  for (long row = 0; row < c->size; row++)
    for (long column = 0; column < c->size; column++) {
      const double distance = fabs(c->result[row * c->size + column] - directAt(c, row, column));
      if (!(distance <= farthest)) /* NaN counts as far */
        farthest = distance;
    }
  return farthest;
}
