/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

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

/** H5F_ACC_RDONLY, _RDWR and _TRUNC: as macros they end the process if the library's release is not that of the
 * header. */
enum { kReadOnly = 0, kWritable = 1, kAnew = 2 };

typedef enum DriverSource {
  SourceByName, /**< whatever file has the name that is opened, read by the system's calls; not announced */
  SourceHost, /**< a file that the program has opened by MPI-IO */
  SourcePending, /**< one that HDF5 itself opens for such a file, by MPI-IO in the program (pendingOpens.h) */
  SourceNowhere, /**< what has been written to it, and no more */
} DriverSource;

typedef struct DriverFile {
  DriverSource source;
  uint64_t file; /**< SourceHost: its number there */
  bool isWritable;
  bool
      hasData; /**< the program has written to it since it opened it: data that the twin does not have */
  void (*tell)(uint64_t offset); /**< NULL, or told what raw data is read */
} DriverFile;

/** Registers the driver with the twin. 0, or -1. */
int driverBegin(const forerun_twin_host *host);

/** Has `access` open `file` through the driver. 0, or -1. Files that HDF5 itself opens on the way (external
 * links, sources of virtual data sets) are opened in the same way, or read by name. */
int driverSet(hid_t access, DriverFile file);

/** Whether it is this driver. */
bool driverIs(hid_t driver);

/** The file of an identifier in it, all files being opened through the driver; NULL: it is in none. */
DriverFile *driverFileOf(hid_t object);

/** The open of MPI-IO through which the program will read raw data of it; 0: none, or none that is known. */
uint64_t driverOpenOf(DriverFile *file);

/** What becomes of raw data that HDF5 reads. To HDF5 what is of variable length is raw data, too, also that
 * of attributes. */
typedef enum DriverData {
  DataIsFetched, /**< at first */
  DataIsAnnounced,
  DataIsDirty, /**< announced, as what the program will write */
} DriverData;
void driverTakesData(DriverData as);
