/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "twin/hdf5Module.h"

#include <hdf5.h>

/** \file
 * The files that the twin has open: those that the program has open and announced reads of, kept as
 * long, since the metadata that HDF5 has in memory is fetched but once.
 */

/** The data set at `path` in the file. Its chunks are not kept: what is in a chunk cache would not be
 * announced again. Negative: it cannot be opened. */
hid_t filesOpenDataset(const forerun_twin_host *host, uint64_t file, const char *path);
