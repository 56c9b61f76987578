/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"
#include "files.h"
#include "module.h"
#include "reads.h"
#include "scratch.h"

/** \file
 * What a pre-execution thread calls in place of functions of HDF5: reads. Without a buffer, nobody needs the
 * bytes: they are announced.
 */

static bool isCollective(hid_t transfer) {
  H5FD_mpio_xfer_t mode = H5FD_MPIO_INDEPENDENT;
  return transfer != H5P_DEFAULT && H5Pget_dxpl_mpio(transfer, &mode) >= 0 &&
         mode == H5FD_MPIO_COLLECTIVE;
}

static bool isConverted(hid_t dataset, hid_t memoryType) {
  const hid_t type = H5Dget_type(dataset);
  const htri_t areEqual = H5Tequal(type, memoryType);
  H5Tclose(type);
  return areEqual <= 0;
}

static bool isChunked(hid_t dataset) {
  const hid_t properties = H5Dget_create_plist(dataset);
  const bool is = H5Pget_layout(properties) == H5D_CHUNKED;
  H5Pclose(properties);
  return is;
}

enum { kPathBytes = 4096 };

/** Read collectively, and as they are, chunks are in no cache: only what is selected is read. So the data
 * set is opened a second time, without a cache. */
static int announceCollective(uint64_t file, hid_t dataset, hid_t selection) {
  char path[kPathBytes];
  const ssize_t length = H5Iget_name(dataset, path, sizeof path);
  if (length <= 0 || (size_t)length >= sizeof path)
    return -1;
  const hid_t again = filesOpenDataset(theHost, file, path);
  if (again < 0)
    return -1;
  const Reading what = {again, selection, 0, false};
  const int rc = readsSelection(&what);
  H5Dclose(again);
  return rc;
}

static void announce(hid_t dataset, hid_t memoryType, hid_t fileSpace, hid_t transfer) {
  const DriverFile *of = driverFileOf(dataset);
  if (of == NULL || of->file == 0)
    return;
  const hid_t selection = fileSpace == H5S_ALL ? H5Dget_space(dataset) : fileSpace;
  const Reading what = {dataset, selection, 0, true};
  if (of->isWritable || !isCollective(transfer) || isConverted(dataset, memoryType) ||
      !isChunked(dataset) || announceCollective(of->file, dataset, selection) < 0)
    readsSelection(&what);
  if (fileSpace == H5S_ALL)
    H5Sclose(selection);
  theHost->announced(theHost->context);
}

/** From the first to the last element that is selected in memory. */
static size_t bytesTo(hid_t memoryType, hid_t space) {
  hsize_t extent[H5S_MAX_RANK], start[H5S_MAX_RANK], end[H5S_MAX_RANK], last = 0;
  const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
  if (rank <= 0 || H5Sget_select_bounds(space, start, end) < 0)
    return H5Tget_size(memoryType) * (size_t)H5Sget_select_npoints(space);
  for (int d = 0; d < rank; d++)
    last = last * extent[d] + end[d];
  return (last + 1) * H5Tget_size(memoryType);
}

static void ownBuffer(hid_t dataset, hid_t memoryType, hid_t memorySpace, hid_t fileSpace,
                      void *buffer) {
  const bool isWhole = memorySpace == H5S_ALL && fileSpace == H5S_ALL;
  const hid_t whole = isWhole ? H5Dget_space(dataset) : -1;
  const hid_t space = isWhole ? whole : memorySpace == H5S_ALL ? fileSpace : memorySpace;
  theHost->own(theHost->context, buffer, bytesTo(memoryType, space));
  if (isWhole)
    H5Sclose(whole);
}

/** What the program may still write before it reads is awaited. */
static void beginFetching(hid_t object) {
  const DriverFile *of = driverFileOf(object);
  if (of != NULL && of->isWritable && of->file != 0)
    theHost->await(theHost->context);
  driverFetchesData(true);
}

FORERUN_EXPORT herr_t forerun_twin_H5Dread(hid_t dataset, hid_t memoryType, hid_t memorySpace,
                                           hid_t fileSpace, hid_t transfer, void *buffer) {
  if (buffer == NULL) {
    announce(dataset, memoryType, fileSpace, transfer);
    return 0;
  }
  ownBuffer(dataset, memoryType, memorySpace, fileSpace, buffer);
  beginFetching(dataset);
  const herr_t rc = H5Dread(dataset, memoryType, memorySpace, fileSpace, H5P_DEFAULT, buffer);
  driverFetchesData(false);
  return rc;
}

FORERUN_EXPORT herr_t forerun_twin_H5Dread_chunk(hid_t dataset, hid_t transfer,
                                                 const hsize_t *first, uint32_t *filters,
                                                 void *buffer) {
  hsize_t bytes = 0;
  if (H5Dget_chunk_storage_size(dataset, first, &bytes) < 0)
    return -1;
  void *const to = buffer != NULL ? buffer : scratchTake(bytes);
  if (buffer != NULL) {
    theHost->own(theHost->context, buffer, bytes);
    beginFetching(dataset);
  }
  const herr_t rc = to == NULL ? -1 : H5Dread_chunk(dataset, transfer, first, filters, to);
  driverFetchesData(false);
  theHost->announced(theHost->context);
  return rc;
}

/** An attribute has come with the metadata. */
FORERUN_EXPORT herr_t forerun_twin_H5Aread(hid_t attribute, hid_t memoryType, void *buffer) {
  if (buffer == NULL)
    return 0;
  const hid_t space = H5Aget_space(attribute);
  theHost->own(theHost->context, buffer,
               (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(memoryType));
  H5Sclose(space);
  return H5Aread(attribute, memoryType, buffer);
}
