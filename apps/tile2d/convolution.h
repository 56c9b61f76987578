/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE2D_CONVOLUTION_H
#define TILE2D_CONVOLUTION_H

/** \file
 * Circular convolution of two square tiles, by FFTW and, as a check, by its definition.
 */

struct Convolver;

/** For tiles of size x size; NULL if memory is short. */
struct Convolver *newConvolver(long size);
void deleteConvolver(struct Convolver *convolver);

/** The operands, to be filled, and the result; aligned for FFTW. `convolve` leaves the operands as
 * they are. */
double *firstTile(struct Convolver *convolver);
double *secondTile(struct Convolver *convolver);
const double *resultTile(const struct Convolver *convolver);

void convolve(struct Convolver *convolver);

/** By definition, in size^4 steps: the maximum error of the result. */
double distanceFromDirect(const struct Convolver *convolver);

#endif
