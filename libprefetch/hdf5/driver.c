/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include "pendingOpens.h"
#include "scratch.h"
#include "written.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const forerun_twin_host *theHost;
static hid_t theDriver = -1;
static DriverData data = DataIsFetched;

typedef struct DrivenFile {
  H5FD_t base; /**< HDF5's own part comes first */
  DriverFile of;
  int descriptor; /**< SourceByName, SourcePending */
  PendingOpen pending;
  haddr_t endOfAllocation, endOfFile;
  Written written;
} DrivenFile;

static bool isByMpiIo(const DrivenFile *file) {
  return file->of.source == SourceHost || file->of.source == SourcePending;
}

/** For what HDF5 opens in the same way: but not the same file. HDF5 frees it. */
static void *propertiesOf(H5FD_t *base) {
  const DrivenFile *from = (const DrivenFile *)base;
  DriverFile *of = calloc(1, sizeof *of);
  if (of != NULL)
    *of = (DriverFile){.source = isByMpiIo(from) ? SourcePending : SourceByName,
                       .isWritable = from->of.isWritable};
  return of;
}

/** No lock is taken: the program would find it. */
static int openByName(DrivenFile *opened, const char *name) {
  struct stat status;
  opened->descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened->descriptor < 0)
    return -1;
  if (fstat(opened->descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    opened->endOfFile = (haddr_t)status.st_size;
    return 0;
  }
  close(opened->descriptor);
  return -1;
}

/** Until the program has it open, its metadata is read by name. */
static int openPending(DrivenFile *opened, const char *name) {
  opened->pending.name = strdup(name);
  if (opened->pending.name != NULL && openByName(opened, name) == 0)
    return 0;
  free(opened->pending.name);
  return -1;
}

static int openSource(DrivenFile *opened, const char *name) {
  uint64_t bytes = 0;
  switch (opened->of.source) {
  case SourceByName:
    return openByName(opened, name);
  case SourceHost:
    if (!theHost->size(theHost->context, opened->of.file, &bytes))
      return -1;
    opened->endOfFile = bytes;
    return 0;
  case SourcePending:
    return openPending(opened, name);
  default:
    return 0;
  }
}

static H5FD_t *openFile(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)most;
  const DriverFile *of = H5Pget_driver_info(access);
  DrivenFile *opened = of == NULL ? NULL : calloc(1, sizeof *opened);
  if (opened == NULL)
    return NULL;
  opened->of = *of;
  if (of->source == SourcePending) /* a link may say how its target is opened */
    opened->of.isWritable = (flags & kWritable) != 0;
  if (openSource(opened, name) == 0)
    return &opened->base;
  free(opened);
  return NULL;
}

static herr_t closeFile(H5FD_t *base) {
  DrivenFile *closed = (DrivenFile *)base;
  if (closed->of.source == SourceByName || closed->of.source == SourcePending)
    close(closed->descriptor);
  free(closed->pending.name);
  writtenForget(&closed->written);
  free(closed);
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
static void announce(DrivenFile *in, uint64_t offset, size_t bytes, void *buffer) {
  const uint64_t file = driverOpenOf(&in->of);
  if (file != 0)
    (data == DataIsDirty ? theHost->dirty : theHost->announce)(theHost->context, file, offset,
                                                               bytes);
  if (in->of.tell != NULL)
    in->of.tell(offset);
  if (!scratchHolds(buffer))
    memset(buffer, 0, bytes);
}

/** False: it does not work. */
static bool readByName(int descriptor, uint64_t offset, size_t bytes, char *buffer, size_t *got) {
  while (*got < bytes) {
    const ssize_t more = pread(descriptor, buffer + *got, bytes - *got, (off_t)(offset + *got));
    if (more <= 0)
      return more == 0;
    *got += (size_t)more;
  }
  return true;
}

/** The same for what the program may have open by now. */
static bool readPending(DrivenFile *in, uint64_t offset, size_t bytes, char *buffer, size_t *got) {
  const uint64_t file = pendingOpenFind(&in->pending);
  if (file != 0 && theHost->fetch(theHost->context, file, offset, buffer, bytes, got))
    return true;
  *got = 0;
  return readByName(in->descriptor, offset, bytes, buffer, got);
}

static bool readSource(DrivenFile *in, uint64_t offset, size_t bytes, char *buffer, size_t *got) {
  switch (in->of.source) {
  case SourceByName:
    return readByName(in->descriptor, offset, bytes, buffer, got);
  case SourceHost:
    return theHost->fetch(theHost->context, in->of.file, offset, buffer, bytes, got);
  case SourcePending:
    return readPending(in, offset, bytes, buffer, got);
  default:
    return true;
  }
}

static herr_t fetch(DrivenFile *in, uint64_t offset, size_t bytes, void *buffer) {
  size_t got = 0;
  if (!readSource(in, offset, bytes, buffer, &got))
    return -1;
  memset((char *)buffer + got, 0, bytes - got); /* as HDF5's own drivers do behind the end */
  return 0;
}

/** All files of the twin are of this driver. */
static herr_t getHandle(H5FD_t *base, hid_t access, void **handle) {
  (void)access;
  *handle = &((DrivenFile *)base)->of;
  return 0;
}

static herr_t readFile(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t offset, size_t bytes,
                       void *buffer) {
  (void)transfer;
  DrivenFile *in = (DrivenFile *)base;
  if (kind == H5FD_MEM_DRAW && data != DataIsFetched) {
    announce(in, offset, bytes, buffer);
    return 0;
  }
  if (kind == H5FD_MEM_DRAW)
    return fetch(in, offset, bytes, buffer);
  if (!writtenHolds(&in->written, offset, bytes) && fetch(in, offset, bytes, buffer) < 0)
    return -1;
  writtenCopy(&in->written, offset, bytes, buffer);
  return 0;
}

static herr_t writeFile(H5FD_t *base, H5FD_mem_t kind, hid_t transfer, haddr_t offset, size_t bytes,
                        const void *buffer) {
  (void)transfer;
  DrivenFile *in = (DrivenFile *)base;
  if (!in->of.isWritable)
    return -1;
  if (kind != H5FD_MEM_DRAW && !writtenPut(&in->written, offset, bytes, buffer))
    return -1;
  if (offset + bytes > in->endOfFile)
    in->endOfFile = offset + bytes;
  return 0;
}

/* No sieve buffer, and no accumulator of metadata: as with the MPI-IO driver. Where a release has reads of
 * several stretches at once, it makes single ones of them for a driver that has none. */
static const H5FD_class_t kClass = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = H5_VFD_RESERVED + 0x46, /* one of those for tests: it is in no file */
#endif
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
    .get_handle = getHandle,
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

bool driverIs(hid_t driver) { return driver == theDriver; }

DriverFile *driverFileOf(hid_t object) {
  const hid_t file = H5Iget_file_id(object);
  void *driven = NULL;
  const herr_t rc = file < 0 ? -1 : H5Fget_vfd_handle(file, H5P_DEFAULT, &driven);
  if (file >= 0)
    H5Idec_ref(file);
  return rc < 0 ? NULL : driven;
}

uint64_t driverOpenOf(DriverFile *file) {
  DrivenFile *in = (DrivenFile *)((char *)file - offsetof(DrivenFile, of));
  return file->source == SourcePending ? pendingOpenAwait(&in->pending) : file->file;
}

void driverTakesData(DriverData as) { data = as; }
