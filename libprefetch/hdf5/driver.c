/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include "scratch.h"
#include "written.h"

#include <stdlib.h>
#include <string.h>

static const forerun_twin_host *theHost;
static hid_t theDriver = -1;
static bool fetchesData;

typedef struct DrivenFile {
  H5FD_t base; /**< HDF5's own part comes first */
  DriverFile of;
  haddr_t endOfAllocation, endOfFile;
  Written written;
} DrivenFile;

/** HDF5 frees it. */
static void *propertiesOf(H5FD_t *base) {
  DriverFile *of = malloc(sizeof *of);
  if (of != NULL)
    *of = ((const DrivenFile *)base)->of;
  return of;
}

static H5FD_t *openFile(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)name, (void)flags, (void)most;
  const DriverFile *of = H5Pget_driver_info(access);
  uint64_t bytes = 0;
  if (of == NULL || (of->file != 0 && !theHost->size(theHost->context, of->file, &bytes)))
    return NULL;
  DrivenFile *opened = calloc(1, sizeof *opened);
  if (opened == NULL)
    return NULL;
  opened->of = *of;
  opened->endOfFile = bytes;
  return &opened->base;
}

static herr_t closeFile(H5FD_t *base) {
  writtenForget(&((DrivenFile *)base)->written);
  free(base);
  return 0;
}

/** As those of the driver for MPI-IO, so that what is created lies where the program's lies: but for
 * MPI itself, of which the twin has none. */
static herr_t query(const H5FD_t *base, unsigned long *features) {
  if (features != NULL)
    *features = base != NULL && ((const DrivenFile *)base)->of.isWritable
                    ? H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA |
                          H5FD_FEAT_ALLOCATE_EARLY
                    : 0;
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
static void announce(const DrivenFile *in, uint64_t offset, size_t bytes, void *buffer) {
  if (in->of.file != 0)
    theHost->announce(theHost->context, in->of.file, offset, bytes);
  if (in->of.tell != NULL)
    in->of.tell(offset);
  if (!scratchHolds(buffer))
    memset(buffer, 0, bytes);
}

static herr_t fetch(const DrivenFile *in, uint64_t offset, size_t bytes, void *buffer) {
  size_t got = 0;
  if (in->of.file != 0 &&
      !theHost->fetch(theHost->context, in->of.file, offset, buffer, bytes, &got))
    return -1;
  memset((char *)buffer + got, 0, bytes - got); /* as HDF5's own drivers do behind the end */
  return 0;
}

/** One page's part of a stretch of bytes. */
typedef struct Part {
  uint64_t page;
  size_t from, bytes;
} Part;

static Part partAt(uint64_t offset, size_t bytes) {
  const Part part = {offset / kPageBytes, offset % kPageBytes, kPageBytes - offset % kPageBytes};
  return (Part){part.page, part.from, part.bytes < bytes ? part.bytes : bytes};
}

static void copyWritten(DrivenFile *in, uint64_t offset, size_t bytes, char *buffer) {
  for (size_t done = 0; done < bytes && in->written.pages > 0;) {
    const Part part = partAt(offset + done, bytes - done);
    const WrittenPage *page = writtenFind(&in->written, part.page);
    if (page != NULL)
      memcpy(buffer + done, page->bytes + part.from, part.bytes);
    done += part.bytes;
  }
}

static herr_t readFile(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t offset, size_t bytes,
                       void *buffer) {
  (void)transfer;
  DrivenFile *in = (DrivenFile *)base;
  if (kind == H5FD_MEM_DRAW && !fetchesData) {
    announce(in, offset, bytes, buffer);
    return 0;
  }
  if (fetch(in, offset, bytes, buffer) < 0)
    return -1;
  if (kind != H5FD_MEM_DRAW) /* a page may hold raw data as well, of the time when it was written */
    copyWritten(in, offset, bytes, buffer);
  return 0;
}

static herr_t writeFile(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t offset, size_t bytes,
                        const void *buffer) {
  (void)transfer;
  DrivenFile *in = (DrivenFile *)base;
  if (!in->of.isWritable)
    return -1;
  for (size_t done = 0; done < bytes && kind != H5FD_MEM_DRAW;) {
    const Part part = partAt(offset + done, bytes - done);
    WrittenPage *page = writtenFind(&in->written, part.page);
    if (page == NULL) {
      page = writtenAdd(&in->written, part.page);
      if (page == NULL || (part.bytes < kPageBytes &&
                           fetch(in, part.page * kPageBytes, kPageBytes, page->bytes) < 0))
        return -1;
    }
    memcpy(page->bytes + part.from, (const char *)buffer + done, part.bytes);
    done += part.bytes;
  }
  if (offset + bytes > in->endOfFile)
    in->endOfFile = offset + bytes;
  return 0;
}

/* No sieve buffer, and no accumulator of metadata: as with the MPI-IO driver. */
static const H5FD_class_t kClass = {
    .name = "forerun",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(DriverFile),
    .fapl_get = propertiesOf,
    .open = openFile,
    .close = closeFile,
    .query = query,
    .get_eoa = getEndOfAllocation,
    .set_eoa = setEndOfAllocation,
    .get_eof = getEndOfFile,
    .read = readFile,
    .write = writeFile,
    .fl_map = H5FD_FLMAP_SINGLE,
};

int driverBegin(const forerun_twin_host *host) {
  theHost = host;
  theDriver = H5FDregister(&kClass);
  return theDriver < 0 ? -1 : 0;
}

int driverSet(hid_t access, DriverFile file) {
  return H5Pset_driver(access, theDriver, &file) < 0 ? -1 : 0;
}

const DriverFile *driverFileOf(hid_t object) {
  static DriverFile found;
  const hid_t file = H5Iget_file_id(object);
  const hid_t access = file < 0 ? -1 : H5Fget_access_plist(file);
  const DriverFile *info =
      access >= 0 && H5Pget_driver(access) == theDriver ? H5Pget_driver_info(access) : NULL;
  const bool isOurs = info != NULL;
  if (isOurs)
    found = *info;
  if (access >= 0)
    H5Pclose(access);
  if (file >= 0)
    H5Idec_ref(file);
  return isOurs ? &found : NULL;
}

void driverFetchesData(bool does) { fetchesData = does; }
