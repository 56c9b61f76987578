/* SPDX-License-Identifier: Apache-2.0 */
#include "module.h"

#include "driver.h"
#include "files.h"
#include "reads.h"

#include <stdlib.h>

/** \file
 * libforerun_hdf5.so: what libforerun calls in the namespace of the twin.
 */

const forerun_twin_host *theHost;

FORERUN_EXPORT const char *forerun_hdf5_begin(const forerun_twin_host *host) {
  unsigned major = 0, minor = 0, release = 0;
  if (getenv("HDF5_DEBUG") != NULL) /* the twin would print, too */
    return "HDF5_DEBUG is set";
  if (getenv("HDF5_VOL_CONNECTOR") != NULL) /* since 1.12: then its files are no files of HDF5 */
    return "HDF5_VOL_CONNECTOR is set";
  theHost = host;
  H5dont_atexit(); /* nothing enters the twin when the process ends: it may have been left anywhere */
  if (H5get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR ||
      minor != H5_VERS_MINOR)
    return "the program's HDF5 is of another version than the one that libforerun_hdf5.so was "
           "built for";
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return driverBegin(host) < 0 ? "HDF5 refuses the file driver" : NULL;
}

FORERUN_EXPORT int forerun_hdf5_announce(const forerun_hdf5_read *read) {
  const hid_t dataset = filesOpenDataset(theHost, read->file, read->dataset);
  if (dataset < 0)
    return -1;
  const hid_t selection =
      read->selection != NULL ? H5Sdecode(read->selection) : H5Dget_space(dataset);
  const Reading what = {dataset, selection, read->whole_chunk_bytes, false};
  driverTakesData(DataIsAnnounced);
  const int rc = readsSelection(&what);
  driverTakesData(DataIsFetched);
  H5Sclose(selection);
  H5Dclose(dataset);
  return rc;
}
