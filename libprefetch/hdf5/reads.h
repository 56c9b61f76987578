/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_READS_H
#define FORERUN_HDF5_READS_H

#include <hdf5.h>

/** \file
 * Has the twin read what the program will read of a data set, by one of two ways. Either way its
 * driver announces the bytes (driver.h), and no filter is run: what was not read cannot be unpacked.
 */

/** What is selected and no more: by H5Dread. For a data set without filters. 0, or -1. */
int readsPieces(hid_t dataset, hid_t selection);

/** Each chunk in which something is selected, as it is stored. 0, or -1. */
int readsWholeChunks(hid_t dataset, hid_t selection, int rank, const hsize_t *chunk);

#endif
