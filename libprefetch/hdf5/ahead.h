/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <hdf5.h>

/** \file
 * Of what a pre-execution thread calls in place of functions of HDF5, that which others call, too: here
 * (aheadLater.c), and in the module of a library on top of HDF5, which is linked against this one (../netcdf). The
 * types are those of the functions of HDF5.
 */

hid_t forerun_twin_H5Fopen(const char *name, unsigned flags, hid_t properties);
hid_t forerun_twin_H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t properties);
herr_t forerun_twin_H5Pget_fapl_mpio(hid_t properties, MPI_Comm *comm, MPI_Info *info);

herr_t forerun_twin_H5Dread(hid_t dataset, hid_t memoryType, hid_t memorySpace, hid_t fileSpace,
                            hid_t transfer, void *buffer);
herr_t forerun_twin_H5Dwrite(hid_t dataset, hid_t memoryType, hid_t memorySpace, hid_t fileSpace,
                             hid_t transfer, const void *buffer);
herr_t forerun_twin_H5Aread(hid_t attribute, hid_t memoryType, void *buffer);
herr_t forerun_twin_H5Awrite(hid_t attribute, hid_t memoryType, const void *buffer);

/** Reads data of which the slice needs the values. What the program may still write before it reads is
 * awaited. What it has written the twin cannot always read, since it has not written it itself: the thread ends. */
herr_t forerun_hdf5_readValues(hid_t dataset, hid_t memoryType, hid_t memorySpace, hid_t fileSpace,
                               hid_t transfer, void *buffer);
