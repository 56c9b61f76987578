/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_CALLER_H
#define FORERUN_HDF5_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/** \file
 * Who calls HDF5: the slice, or a library on top of it (netCDF) that has a module of its own, which is linked against
 * this one. Such a library has buffers of its own, and reads also what it needs itself.
 */

/** From now on it is another library. */
void forerun_hdf5_is_below(void);
/** What H5Dread reads from now on nobody needs: not in `nobodys` memory, nor elsewhere. NULL: it is needed. */
void forerun_hdf5_reads_for(const void *nobodys, size_t bytes);

/** Whether H5Dread is to bring bytes to `buffer`. */
bool callerNeeds(const void *buffer);
/** Ends the thread if the slice may not write to `buffer`. */
void callerOwns(void *buffer, size_t bytes);
/** What the library converts, or keeps, must be no chance bytes. */
void callerGetsZeros(void *buffer, size_t bytes);

#endif
