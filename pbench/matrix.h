/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PBENCH_MATRIX_H
#define PBENCH_MATRIX_H

#include <mpi.h>

/** \file
 * The matrix: n rows of n doubles, row after row. Every element is a function of its position, so
 * that any row can be generated, and checked, without the file.
 */

/** Fills `row` with row number `number`: values in [0, 1). */
void pb_matrix_row(double *row, long n, long number);

/** Makes the file, every rank its share of the rows. Collective. Returns MPI's code. */
int pb_matrix_create(MPI_Comm comm, const char *file, long n);

/** Where row `number` begins in the file, in bytes. */
MPI_Offset pb_row_offset(long n, long number);

#endif
