/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_H
#define FORERUN_HDF5_H

/** \file
 * Announces reads of HDF5 data sets: for programs that are not sliced. See docs/hdf5.md.
 */

#include <hdf5.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/** Announces what H5Dread with the same arguments (but for its buffer) will read: raw data, and the
 * metadata that says where it lies. Returns at once: a thread of Forerun's, with a copy of HDF5 of its
 * own, finds out which bytes these are, and has them fetched.
 *
 * The file has to be open for reading alone (H5F_ACC_RDONLY) by the driver for MPI-IO
 * (H5Pset_fapl_mpio); of any other nothing is announced.
 *
 * Returns 0, whatever happens, also for arguments that H5Dread would refuse: a prefetch that cannot be
 * made costs time, never an error. As every call of HDF5 it may clear the error stack; it prints
 * nothing. It is not collective, whatever `dxpl` says: that says which read it stands for.
 *
 * Threads: it asks the program's HDF5 about its arguments. So it may be called where H5Dget_space may
 * be: with a library that is not thread-safe, by one thread at a time of all that call HDF5. */
/* NOLINTNEXTLINE(readability-identifier-naming): in the style of HDF5 */
herr_t H5Dprefetch(hid_t dataset, hid_t mem_type, hid_t mem_space, hid_t file_space, hid_t dxpl);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
