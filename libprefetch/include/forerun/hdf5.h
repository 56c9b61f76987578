/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_H
#define FORERUN_HDF5_H

/** \file
 * Prefetches data sets of HDF5: for programs that are not sliced. See docs/hdf5.md.
 */

#include <hdf5.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** Prefetches what H5Dread with the same arguments (except its buffer) will read: raw data, and the
 * metadata that locates it. Returns at once: a thread of Forerun's, with its own copy of HDF5,
 * determines which bytes these are, and has them fetched.
 *
 * The file must be open read-only (H5F_ACC_RDONLY) by the driver for MPI-IO (H5Pset_fapl_mpio); for
 * any other file nothing is prefetched.
 *
 * Returns 0, whatever happens, even for arguments that H5Dread would refuse: a prefetch that cannot
 * be made costs time, never an error. Like every call of HDF5 it may clear the error stack; it
 * prints nothing. It is not collective, whatever `dxpl` says: that tells which read it stands for.
 *
 * Threads: it asks the program's HDF5 about its arguments. So call it where H5Dget_space may be
 * called: if the library is not thread-safe, by one thread at a time of all that call HDF5. */
/* NOLINTNEXTLINE(readability-identifier-naming): in the style of HDF5 */
herr_t H5Dprefetch(hid_t dataset, hid_t mem_type, hid_t mem_space, hid_t file_space, hid_t dxpl);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
