/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PBENCH_COMPUTE_H
#define PBENCH_COMPUTE_H

/** \file
 * Compute: floating-point work over the data just read, none of which can be optimised away.
 */

/** `iterations` passes over the `n` values, folded into `sum`. Even with none the result depends
 * on every value, so that a wrong byte shows. */
double pb_compute(double sum, const double *values, long n, long iterations);

#endif
