/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLASH_H
#define CLASH_H
#include <mpi.h>

enum { kBlock = 22, kBlocks = 30 };

long readThere(MPI_File file, int step);

#endif
