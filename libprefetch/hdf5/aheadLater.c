/* SPDX-License-Identifier: Apache-2.0 */
#include "ahead.h"
#include "module.h"

/** \file
 * What a pre-execution thread calls in place of functions that HDF5 has since 1.14: of several data sets at
 * once, and calls that go on in the background of the program (`_async`). Here each is made at once.
 */

#if H5_VERSION_GE(1, 14, 0)

FORERUN_EXPORT herr_t forerun_twin_H5Dread_multi(size_t count, const hid_t *datasets,
                                                 const hid_t *memoryTypes,
                                                 const hid_t *memorySpaces, const hid_t *fileSpaces,
                                                 hid_t transfer, void **buffers) {
  herr_t rc = 0;
  for (size_t i = 0; i < count; i++)
    if (forerun_twin_H5Dread(datasets[i], memoryTypes[i], memorySpaces[i], fileSpaces[i], transfer,
                             buffers == NULL ? NULL : buffers[i]) < 0)
      rc = -1;
  return rc;
}

FORERUN_EXPORT herr_t forerun_twin_H5Dwrite_multi(size_t count, const hid_t *datasets,
                                                  const hid_t *memoryTypes,
                                                  const hid_t *memorySpaces,
                                                  const hid_t *fileSpaces, hid_t transfer,
                                                  const void *const *buffers) {
  (void)buffers;
  for (size_t i = 0; i < count; i++)
    forerun_twin_H5Dwrite(datasets[i], memoryTypes[i], memorySpaces[i], fileSpaces[i], transfer,
                          NULL);
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Dread_async(const char *file, const char *function,
                                                 unsigned line, hid_t dataset, hid_t memoryType,
                                                 hid_t memorySpace, hid_t fileSpace, hid_t transfer,
                                                 void *buffer, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Dread(dataset, memoryType, memorySpace, fileSpace, transfer, buffer);
}

FORERUN_EXPORT herr_t forerun_twin_H5Dread_multi_async(
    const char *file, const char *function, unsigned line, size_t count, const hid_t *datasets,
    const hid_t *memoryTypes, const hid_t *memorySpaces, const hid_t *fileSpaces, hid_t transfer,
    void **buffers, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Dread_multi(count, datasets, memoryTypes, memorySpaces, fileSpaces,
                                    transfer, buffers);
}

FORERUN_EXPORT herr_t forerun_twin_H5Dwrite_async(const char *file, const char *function,
                                                  unsigned line, hid_t dataset, hid_t memoryType,
                                                  hid_t memorySpace, hid_t fileSpace,
                                                  hid_t transfer, const void *buffer,
                                                  hid_t events) {
  (void)file, (void)function, (void)line, (void)buffer, (void)events;
  return forerun_twin_H5Dwrite(dataset, memoryType, memorySpace, fileSpace, transfer, NULL);
}

FORERUN_EXPORT herr_t forerun_twin_H5Dwrite_multi_async(
    const char *file, const char *function, unsigned line, size_t count, const hid_t *datasets,
    const hid_t *memoryTypes, const hid_t *memorySpaces, const hid_t *fileSpaces, hid_t transfer,
    const void *const *buffers, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Dwrite_multi(count, datasets, memoryTypes, memorySpaces, fileSpaces,
                                     transfer, buffers);
}

FORERUN_EXPORT herr_t forerun_twin_H5Aread_async(const char *file, const char *function,
                                                 unsigned line, hid_t attribute, hid_t memoryType,
                                                 void *buffer, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Aread(attribute, memoryType, buffer);
}

FORERUN_EXPORT herr_t forerun_twin_H5Awrite_async(const char *file, const char *function,
                                                  unsigned line, hid_t attribute, hid_t memoryType,
                                                  const void *buffer, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Awrite(attribute, memoryType, buffer);
}

FORERUN_EXPORT hid_t forerun_twin_H5Fopen_async(const char *file, const char *function,
                                                unsigned line, const char *name, unsigned flags,
                                                hid_t properties, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Fopen(name, flags, properties);
}

FORERUN_EXPORT hid_t forerun_twin_H5Fcreate_async(const char *file, const char *function,
                                                  unsigned line, const char *name, unsigned flags,
                                                  hid_t creation, hid_t properties, hid_t events) {
  (void)file, (void)function, (void)line, (void)events;
  return forerun_twin_H5Fcreate(name, flags, creation, properties);
}

FORERUN_EXPORT herr_t forerun_twin_H5Fflush_async(const char *file, const char *function,
                                                  unsigned line, hid_t object, H5F_scope_t scope,
                                                  hid_t events) {
  (void)file, (void)function, (void)line, (void)object, (void)scope, (void)events;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_mpi_params(hid_t properties, MPI_Comm comm,
                                                     MPI_Info info) {
  (void)properties, (void)comm, (void)info;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pget_mpi_params(hid_t properties, MPI_Comm *comm,
                                                     MPI_Info *info) {
  return forerun_twin_H5Pget_fapl_mpio(properties, comm, info);
}

#endif
