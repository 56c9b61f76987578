/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/** \file
 * Has the twin read what the program will read of a data set. Its driver announces the bytes (driver.h),
 * and no filter is run: what was not read cannot be unpacked.
 */

typedef struct Reading {
  hid_t dataset, selection;
  /** Chunks of up to so many bytes the program's HDF5 reads whole, into its chunk cache; of larger ones,
   * only what is selected. */
  uint64_t wholeChunkBytes;
  /** The twin reads what the program reads, in the same order: what is in its chunk caches is in the
   * program's. */
  bool isInStep;
} Reading;

/** 0, or -1: that cannot be told, and nothing more was announced. */
int readsSelection(const Reading *what);

/** What is selected and no more: by H5Dread. For a data set without filters. 0, or -1. */
int readsPieces(hid_t dataset, hid_t selection);

/** The chunks of a data set. */
typedef struct Chunked {
  hid_t dataset;
  int rank;
  hsize_t chunk[H5S_MAX_RANK]; /**< its extent */
  uint64_t bytes;              /**< of one, unpacked */
} Chunked;

/** Each chunk in which something is selected, as it is stored. 0, or -1. */
int readsWholeChunks(const Chunked *of, hid_t selection);
/** The one chunk that begins there. 0, or -1. */
int readsChunk(const Chunked *of, const hsize_t *first);
