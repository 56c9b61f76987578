/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_FILES_H
#define FORERUN_HDF5_FILES_H

#include "twin/hdf5Module.h"

#include <hdf5.h>

/** \file
 * The files that the twin has open: those that the program has open and announced reads of, kept as
 * long, since the metadata that HDF5 has in memory is fetched but once.
 */

/** The twin's identifier of the file, which stays the twin's own; negative: it cannot be opened. */
hid_t filesOpen(const forerun_hdf5_host *host, uint64_t file);

#endif
