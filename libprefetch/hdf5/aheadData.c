/* SPDX-License-Identifier: Apache-2.0 */
#include "ahead.h"
#include "driver.h"
#include "files.h"
#include "module.h"
#include "pendingOpens.h"
#include "reads.h"
#include "scratch.h"
#include "unfilled.h"

/** \file
 * What a pre-execution thread calls in place of functions of HDF5: data. A read without a buffer, of which
 * nobody needs the bytes, is announced; a write is no write.
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

/** The data set, opened a second time and without a chunk cache. Negative: it cannot be. */
static hid_t openAgain(uint64_t file, hid_t dataset) {
  char path[kPathBytes];
  const ssize_t length = file == 0 ? 0 : H5Iget_name(dataset, path, sizeof path);
  return length <= 0 || (size_t)length >= sizeof path ? -1 : filesOpenDataset(theHost, file, path);
}

/** Read collectively, and as they are, chunks are in no cache of the program's. */
static bool isUncached(const DriverFile *of, hid_t dataset, hid_t memoryType, hid_t transfer) {
  return !of->isWritable && isCollective(transfer) && !isConverted(dataset, memoryType) &&
         isChunked(dataset);
}

/** Only what is selected is read, or each packed chunk every time. */
static int announceUncached(uint64_t file, hid_t dataset, hid_t selection) {
  const hid_t again = openAgain(file, dataset);
  if (again < 0)
    return -1;
  const Reading what = {again, selection, 0, false};
  const int rc = readsSelection(&what);
  H5Dclose(again);
  return rc;
}

static void announce(hid_t dataset, hid_t memoryType, hid_t fileSpace, hid_t transfer) {
  DriverFile *of = driverFileOf(dataset);
  if (of == NULL || (of->source != SourceHost && of->source != SourcePending))
    return;
  const hid_t selection = fileSpace == H5S_ALL ? H5Dget_space(dataset) : fileSpace;
  const Reading what = {dataset, selection, 0, true};
  if (!isUncached(of, dataset, memoryType, transfer) ||
      announceUncached(driverOpenOf(of), dataset, selection) < 0)
    readsSelection(&what);
  if (fileSpace == H5S_ALL)
    H5Sclose(selection);
  theHost->announced(theHost->context);
}

static void announceAs(DriverData data, hid_t dataset, hid_t memoryType, hid_t fileSpace,
                       hid_t transfer) {
  pendingOpenNextCall();
  driverTakesData(data);
  announce(dataset, memoryType, fileSpace, transfer);
  driverTakesData(DataIsFetched);
}

/** From the first to the last element that is selected in memory; 0 where HDF5 will refuse them. */
static size_t bytesTo(hid_t memoryType, hid_t space) {
  hsize_t extent[H5S_MAX_RANK], start[H5S_MAX_RANK], end[H5S_MAX_RANK], last = 0;
  const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
  const hssize_t points = H5Sget_select_npoints(space);
  if (points <= 0)
    return 0;
  if (rank <= 0 || H5Sget_select_bounds(space, start, end) < 0)
    return H5Tget_size(memoryType) * (size_t)points;
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

/** Whether the bytes are where the file's other bytes are, and as they are in memory, or nearly. */
static bool isPlain(hid_t dataset) {
  const hid_t properties = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
  const bool is = H5Pget_layout(properties) != H5D_COMPACT && H5Pget_nfilters(properties) == 0 &&
                  H5Tdetect_class(type, H5T_VLEN) == 0 && H5Tdetect_class(type, H5T_STRING) == 0 &&
                  H5Tdetect_class(type, H5T_REFERENCE) == 0;
  H5Tclose(type);
  H5Pclose(properties);
  return is;
}

static void awaitData(hid_t dataset) {
  const DriverFile *of = driverFileOf(dataset);
  if (of != NULL && of->isWritable && of->hasData &&
      (of->source != SourceHost || !isPlain(dataset)))
    theHost->end(theHost->context, "it needs data that the program itself has written by HDF5");
  if (of != NULL && of->isWritable)
    theHost->await(theHost->context);
}

FORERUN_EXPORT herr_t forerun_hdf5_readValues(hid_t dataset, hid_t memoryType, hid_t memorySpace,
                                              hid_t fileSpace, hid_t transfer, void *buffer) {
  awaitData(dataset);
  DriverFile *of = driverFileOf(dataset);
  const bool isUnfilled = of != NULL && unfilledHas(dataset);
  const bool isApart = isUnfilled || (of != NULL && isUncached(of, dataset, memoryType, transfer));
  const hid_t again = isApart ? openAgain(driverOpenOf(of), dataset) : -1;
  if (isUnfilled && again < 0)
    theHost->end(theHost->context, "it needs values of data that it has only prefetched");
  if (again < 0)
    return H5Dread(dataset, memoryType, memorySpace, fileSpace, H5P_DEFAULT, buffer);
  const herr_t rc = H5Dread(again, memoryType, memorySpace, fileSpace, H5P_DEFAULT, buffer);
  H5Dclose(again);
  return rc;
}

FORERUN_EXPORT herr_t forerun_twin_H5Dread(hid_t dataset, hid_t memoryType, hid_t memorySpace,
                                           hid_t fileSpace, hid_t transfer, void *buffer) {
  if (buffer == NULL) {
    announceAs(DataIsAnnounced, dataset, memoryType, fileSpace, transfer);
    return 0;
  }
  ownBuffer(dataset, memoryType, memorySpace, fileSpace, buffer);
  return forerun_hdf5_readValues(dataset, memoryType, memorySpace, fileSpace, transfer, buffer);
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
    awaitData(dataset);
  }
  pendingOpenNextCall();
  driverTakesData(buffer == NULL ? DataIsAnnounced : DataIsFetched);
  const herr_t rc = to == NULL ? -1 : H5Dread_chunk(dataset, transfer, first, filters, to);
  driverTakesData(DataIsFetched);
  theHost->announced(theHost->context);
  return rc;
}

/** An attribute has come with the metadata. */
FORERUN_EXPORT herr_t forerun_twin_H5Aread(hid_t attribute, hid_t memoryType, void *buffer) {
  if (buffer == NULL)
    return 0;
  const DriverFile *of = driverFileOf(attribute);
  if (of != NULL && of->isWritable && of->hasData)
    theHost->end(theHost->context,
                 "it needs an attribute of a file that the program has written to");
  const hid_t space = H5Aget_space(attribute);
  theHost->own(theHost->context, buffer, bytesTo(memoryType, space));
  H5Sclose(space);
  return H5Aread(attribute, memoryType, buffer);
}

/** Nothing is written: where it would be is dirty until the program has written it. Nobody reads a file ahead
 * that is new. */
FORERUN_EXPORT herr_t forerun_twin_H5Dwrite(hid_t dataset, hid_t memoryType, hid_t memorySpace,
                                            hid_t fileSpace, hid_t transfer, const void *buffer) {
  (void)memorySpace, (void)buffer;
  DriverFile *of = driverFileOf(dataset);
  if (of != NULL)
    of->hasData = true;
  announceAs(DataIsDirty, dataset, memoryType, fileSpace, transfer);
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Dwrite_chunk(hid_t dataset, hid_t transfer, uint32_t filters,
                                                  const hsize_t *first, size_t bytes,
                                                  const void *buffer) {
  (void)transfer, (void)filters, (void)first, (void)bytes, (void)buffer;
  DriverFile *of = driverFileOf(dataset);
  if (of != NULL)
    of->hasData = true;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Awrite(hid_t attribute, hid_t memoryType, const void *buffer) {
  (void)memoryType, (void)buffer;
  DriverFile *of = driverFileOf(attribute);
  if (of != NULL)
    of->hasData = true;
  return 0;
}
