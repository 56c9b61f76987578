/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include <hdf5.h>
#include <stddef.h>

/** \file
 * What a pre-execution thread calls in place of functions of HDF5 that shall do nothing in the twin.
 */

/* ---- files: they are not changed ---- */

FORERUN_EXPORT herr_t forerun_twin_H5Fflush(hid_t object, H5F_scope_t scope) {
  (void)object, (void)scope;
  return 0;
}

/* ---- the library: it stays, as long as the process ---- */

FORERUN_EXPORT herr_t forerun_twin_H5close(void) { return 0; }

FORERUN_EXPORT herr_t forerun_twin_H5dont_atexit(void) { return 0; }

/* ---- messages: the program prints them ---- */

FORERUN_EXPORT herr_t forerun_twin_H5Eset_auto2(hid_t stack, H5E_auto2_t handler, void *data) {
  (void)stack, (void)handler, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Eset_auto1(H5E_auto1_t handler, void *data) {
  (void)handler, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Eprint2(hid_t stack, FILE *stream) {
  (void)stack, (void)stream;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Eprint1(FILE *stream) {
  (void)stream;
  return 0;
}

/* ---- functions of the program that HDF5 would call later: they are the main thread's ---- */

FORERUN_EXPORT herr_t forerun_twin_H5Zregister(const void *filter) {
  (void)filter;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Lregister(const void *kind) {
  (void)kind;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Lunregister(H5L_type_t id) {
  (void)id;
  return 0;
}

FORERUN_EXPORT hid_t forerun_twin_H5FDregister(const void *driver) {
  (void)driver;
  return -1;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_file_image_callbacks(hid_t properties, void *callbacks) {
  (void)properties, (void)callbacks;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Tregister(H5T_pers_t kind, const char *name, hid_t from,
                                               hid_t to, H5T_conv_t function) {
  (void)kind, (void)name, (void)from, (void)to, (void)function;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_filter_callback(hid_t properties,
                                                          H5Z_filter_func_t function, void *data) {
  (void)properties, (void)function, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_type_conv_cb(hid_t properties,
                                                       H5T_conv_except_func_t function,
                                                       void *data) {
  (void)properties, (void)function, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_vlen_mem_manager(hid_t properties,
                                                           H5MM_allocate_t allocate,
                                                           void *allocateData, H5MM_free_t release,
                                                           void *releaseData) {
  (void)properties, (void)allocate, (void)allocateData, (void)release, (void)releaseData;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_object_flush_cb(hid_t properties, H5F_flush_cb_t function,
                                                          void *data) {
  (void)properties, (void)function, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_append_flush(hid_t properties, unsigned rank,
                                                       const hsize_t *boundary,
                                                       H5D_append_cb_t function, void *data) {
  (void)properties, (void)rank, (void)boundary, (void)function, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_elink_cb(hid_t properties, H5L_elink_traverse_t function,
                                                   void *data) {
  (void)properties, (void)function, (void)data;
  return 0;
}

FORERUN_EXPORT herr_t forerun_twin_H5Pset_mcdt_search_cb(hid_t properties,
                                                         H5O_mcdt_search_cb_t function,
                                                         void *data) {
  (void)properties, (void)function, (void)data;
  return 0;
}
