/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_ON_TOP_H
#define FORERUN_HDF5_ON_TOP_H

#include <hdf5.h>

/** \file
 * What a module for a library on top of HDF5 calls of this one, against which it is linked.
 */

hid_t forerun_twin_H5Fopen(const char *name, unsigned flags, hid_t properties);
herr_t forerun_twin_H5Dread(hid_t dataset, hid_t memoryType, hid_t memorySpace, hid_t fileSpace,
                            hid_t transfer, void *buffer);

/** Before data is read of which the slice needs the values. What the program may still write before it reads is
 * awaited. What it has written the twin cannot always read, since it has not written it itself: the thread ends. */
void forerun_hdf5_awaitData(hid_t dataset);

#endif
