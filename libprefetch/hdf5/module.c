/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"
#include "files.h"
#include "reads.h"

/** \file
 * libforerun_hdf5.so: what libforerun calls in the namespace of the twin. The module is linked against
 * no HDF5: its symbols are those of the first library of its namespace, which is the program's HDF5,
 * whatever its name.
 */

static const forerun_hdf5_host *theHost;

/** Chunks are not kept: what is in a chunk cache of the twin's would not be announced again. */
static hid_t openDataset(const forerun_hdf5_read *read) {
  const hid_t file = filesOpen(theHost, read->file);
  if (file < 0)
    return -1;
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 1, 0, 0);
  const hid_t dataset = H5Dopen2(file, read->dataset, access);
  H5Pclose(access);
  return dataset;
}

static int readChunked(const forerun_hdf5_read *read, hid_t dataset, hid_t properties,
                       hid_t selection) {
  hsize_t chunk[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(properties, H5S_MAX_RANK, chunk);
  const hid_t type = H5Dget_type(dataset);
  uint64_t bytes = H5Tget_size(type);
  H5Tclose(type);
  for (int d = 0; d < rank; d++)
    bytes *= chunk[d];
  if (rank < 1 || rank != H5Sget_simple_extent_ndims(selection))
    return -1;
  const int isWhole = H5Pget_nfilters(properties) > 0 || bytes <= read->whole_chunk_bytes;
  return isWhole ? readsWholeChunks(dataset, selection, rank, chunk)
                 : readsPieces(dataset, selection);
}

/** What is in the object header (compact) has come with it. Where the data lies in other files (external,
 * virtual), or nowhere yet, there is nothing to be announced of this one. */
static int readSelection(const forerun_hdf5_read *read, hid_t dataset, hid_t properties,
                         hid_t selection) {
  if (H5Sget_select_npoints(selection) <= 0)
    return 0;
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_CHUNKED)
    return readChunked(read, dataset, properties, selection);
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0 &&
      H5Dget_offset(dataset) != HADDR_UNDEF)
    return readsPieces(dataset, selection);
  return 0;
}

__attribute__((visibility("default"))) const char *
forerun_hdf5_begin(const forerun_hdf5_host *host) {
  unsigned major = 0, minor = 0, release = 0;
  theHost = host;
  H5dont_atexit(); /* nothing enters the twin when the process ends: it may have been left anywhere */
  if (H5get_libversion(&major, &minor, &release) < 0 || major != H5_VERS_MAJOR ||
      minor != H5_VERS_MINOR)
    return "the program's HDF5 is of another version than the one that libforerun_hdf5.so was "
           "built for";
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return driverBegin(host) < 0 ? "HDF5 refuses the file driver" : NULL;
}

__attribute__((visibility("default"))) int forerun_hdf5_announce(const forerun_hdf5_read *read) {
  const hid_t dataset = openDataset(read);
  if (dataset < 0)
    return -1;
  const hid_t selection =
      read->selection != NULL ? H5Sdecode(read->selection) : H5Dget_space(dataset);
  const hid_t properties = H5Dget_create_plist(dataset);
  const int rc = readSelection(read, dataset, properties, selection);
  H5Pclose(properties);
  H5Sclose(selection);
  H5Dclose(dataset);
  return rc;
}
