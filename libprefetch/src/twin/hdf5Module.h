/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5MODULE_H
#define FORERUN_HDF5MODULE_H

/** \file
 * Between libforerun and libforerun_hdf5.so, which lies in a link namespace of its own with a second copy
 * of the program's HDF5, and drives that. Neither sees the other's memory allocator, standard
 * library or HDF5: what goes between them is numbers, bytes and functions.
 *
 * Everything is called on one thread. The module's functions may end anywhere (TwinThread.h); they
 * are not called again then.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the twin's file driver asks of libforerun. `file`: one open MPI_File, a number never used twice. */
typedef struct forerun_hdf5_host {
  void *context;
  /** 1 with the size of the file in bytes; 0: it has been closed, or its size is not known. */
  int (*size)(void *context, uint64_t file, uint64_t *bytes);
  /** Fetches through the cache. 1 with `*got` bytes, fewer than asked only where the file ends; 0: they
   * are not to be had. */
  int (*fetch)(void *context, uint64_t file, uint64_t offset, void *buffer, size_t length,
               size_t *got);
  /** The program will read these bytes of the file of the read that is being announced. */
  void (*announce)(void *context, uint64_t offset, uint64_t length);
} forerun_hdf5_host;

/** What a call of H5Dread reads, as far as it decides on bytes of the file. */
typedef struct forerun_hdf5_read {
  uint64_t file;
  const char *dataset;   /**< its path in the file */
  const void *selection; /**< as H5Sencode gives it; NULL: all of the data set */
  /** Chunks of up to so many bytes the program's HDF5 reads whole, into its chunk cache; of larger
   * ones, only what is selected. */
  uint64_t whole_chunk_bytes;
} forerun_hdf5_read;

/** @{ Exported by the module. */

/** First of all. NULL, or why the module cannot work with this HDF5. `host` stays. */
const char *forerun_hdf5_begin(const forerun_hdf5_host *host);
/** Announces what the read will read. 0, or -1: that cannot be told, and nothing more was announced. */
int forerun_hdf5_announce(const forerun_hdf5_read *read);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
