/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_DRIVER_H
#define FORERUN_HDF5_DRIVER_H

#include "twin/hdf5Module.h"

#include <hdf5.h>

/** \file
 * The twin's file driver. What HDF5 reads of a file is announced if it is raw data, and not read; it
 * is fetched through the cache if it is metadata, on which depends what is read next. So the metadata
 * is in the cache when the program's HDF5 comes to it.
 */

/** Registers the driver with the twin. 0, or -1. */
int driverBegin(const forerun_hdf5_host *host);

/** Opens a file through the driver, to read. Negative: it cannot be opened. */
hid_t driverOpen(uint64_t file);

#endif
