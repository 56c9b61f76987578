/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FORERUN_HDF5_DRIVER_H
#define FORERUN_HDF5_DRIVER_H

#include "twin/hdf5Module.h"

#include <hdf5.h>
#include <stdbool.h>

/** \file
 * The twin's file driver. What HDF5 reads of a file is announced if it is raw data, and not read; it
 * is fetched through the cache if it is metadata, on which depends what is read next. So the metadata
 * is in the cache when the program's HDF5 comes to it.
 *
 * What HDF5 writes goes to no file: metadata is kept in memory (written.h), raw data nowhere.
 */

typedef struct DriverFile {
  uint64_t file; /**< the host's number; 0: a file that the program creates, empty at first */
  bool isWritable;
  void (*tell)(uint64_t offset); /**< NULL, or told what raw data is read */
} DriverFile;

/** Registers the driver with the twin. 0, or -1. */
int driverBegin(const forerun_twin_host *host);

/** Has `access` open `file` through the driver, whatever its name. 0, or -1. */
int driverSet(hid_t access, DriverFile file);

/** The file of an identifier in it, if it was opened through the driver; else NULL. */
const DriverFile *driverFileOf(hid_t object);

/** Whether raw data is fetched and not announced. */
void driverFetchesData(bool does);

#endif
