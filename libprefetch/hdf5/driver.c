/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/** H5F_ACC_RDONLY as a macro ends the process if the library's release is not that of the header. */
static const unsigned kReadOnly = 0;

static const forerun_hdf5_host *theHost;
static hid_t theDriver = -1;

typedef struct DrivenFile {
  H5FD_t base; /**< HDF5's own part comes first */
  uint64_t file;
  haddr_t endOfAllocation, endOfFile;
} DrivenFile;

static H5FD_t *openFile(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)name, (void)flags, (void)most;
  const uint64_t *file = H5Pget_driver_info(access);
  uint64_t bytes = 0;
  if (file == NULL || !theHost->size(theHost->context, *file, &bytes))
    return NULL;
  DrivenFile *opened = calloc(1, sizeof *opened);
  if (opened == NULL)
    return NULL;
  opened->file = *file;
  opened->endOfFile = bytes;
  return &opened->base;
}

static herr_t closeFile(H5FD_t *base) {
  free(base);
  return 0;
}

static haddr_t getEndOfAllocation(const H5FD_t *base, H5FD_mem_t kind) {
  (void)kind;
  return ((const DrivenFile *)base)->endOfAllocation;
}

static herr_t setEndOfAllocation(H5FD_t *base, H5FD_mem_t kind, haddr_t to) {
  (void)kind;
  ((DrivenFile *)base)->endOfAllocation = to;
  return 0;
}

static haddr_t getEndOfFile(const H5FD_t *base, H5FD_mem_t kind) {
  (void)kind;
  return ((const DrivenFile *)base)->endOfFile;
}

/** What HDF5 converts, or keeps, must be no chance bytes: zeros are values of any type. What goes straight
 * to where nobody looks is left alone: its memory is never touched, however large it is. */
static void announce(uint64_t offset, size_t bytes, void *buffer) {
  theHost->announce(theHost->context, offset, bytes);
  if (!scratchHolds(buffer))
    memset(buffer, 0, bytes);
}

static herr_t fetch(uint64_t file, uint64_t offset, size_t bytes, void *buffer) {
  size_t got = 0;
  if (!theHost->fetch(theHost->context, file, offset, buffer, bytes, &got))
    return -1;
  memset((char *)buffer + got, 0, bytes - got); /* as HDF5's own drivers do behind the end */
  return 0;
}

static herr_t readFile(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t offset, size_t bytes,
                       void *buffer) {
  (void)transfer;
  if (kind != H5FD_MEM_DRAW)
    return fetch(((DrivenFile *)base)->file, offset, bytes, buffer);
  announce(offset, bytes, buffer);
  return 0;
}

/** HDF5 registers no driver without; a file that is opened to read is not written to. */
static herr_t writeFile(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t offset, size_t bytes,
                        const void *buffer) {
  (void)base, (void)kind, (void)transfer, (void)offset, (void)bytes, (void)buffer;
  return -1;
}

/* No features: as with the MPI-IO driver there is no sieve buffer, and no accumulator of metadata. */
static const H5FD_class_t kClass = {
    .name = "forerun",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(uint64_t),
    .open = openFile,
    .close = closeFile,
    .get_eoa = getEndOfAllocation,
    .set_eoa = setEndOfAllocation,
    .get_eof = getEndOfFile,
    .read = readFile,
    .write = writeFile,
    .fl_map = H5FD_FLMAP_SINGLE,
};

int driverBegin(const forerun_hdf5_host *host) {
  theHost = host;
  theDriver = H5FDregister(&kClass);
  return theDriver < 0 ? -1 : 0;
}

hid_t driverOpen(uint64_t file) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  hid_t opened = -1;
  if (H5Pset_driver(access, theDriver, &file) >= 0)
    opened = H5Fopen("forerun", kReadOnly, access);
  H5Pclose(access);
  return opened;
}
