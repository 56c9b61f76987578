/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** \file
 * Between libforerun and libforerun_hdf5.so, for calls of H5Dprefetch.
 */

#include "twin/twinHost.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a call of H5Dread reads, as far as it determines bytes of the file. */
typedef struct forerun_hdf5_read {
  uint64_t file;
  const char *dataset;   /**< its path in the file */
  const void *selection; /**< as H5Sencode gives it; NULL: the whole data set */
  /** Chunks of up to this many bytes are read whole by the program's HDF5, into its chunk cache; of
   * larger ones, only what is selected. */
  uint64_t whole_chunk_bytes;
} forerun_hdf5_read;

/** @{ Exported by the module. */

/** To be called first. NULL, or why the module cannot work with this HDF5. `host` stays valid. */
const char *forerun_hdf5_begin(const forerun_twin_host *host);
/** Announces what the read will read. 0, or -1: unknown, and nothing more was announced. */
int forerun_hdf5_announce(const forerun_hdf5_read *read);

/** @} */

#ifdef __cplusplus
}
#endif
