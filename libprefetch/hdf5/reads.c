/* SPDX-License-Identifier: Apache-2.0 */
#include "reads.h"

#include "shadow.h"
#include "unfilled.h"

static int readChunked(const Reading *what, hid_t properties) {
  Chunked of = {.dataset = what->dataset};
  of.rank = H5Pget_chunk(properties, H5S_MAX_RANK, of.chunk);
  const hid_t type = H5Dget_type(what->dataset);
  of.bytes = H5Tget_size(type);
  H5Tclose(type);
  for (int d = 0; d < of.rank; d++)
    of.bytes *= of.chunk[d];
  if (of.rank < 1 || of.rank != H5Sget_simple_extent_ndims(what->selection))
    return -1;
  const bool isPacked = H5Pget_nfilters(properties) > 0;
  if (isPacked && what->isInStep && shadowReads(&of, what->selection) == 0)
    return 0;
  if (isPacked || (!what->isInStep && of.bytes <= what->wholeChunkBytes))
    return readsWholeChunks(&of, what->selection);
  if (what->isInStep)
    unfilledAdd(what->dataset);
  return readsPieces(what->dataset, what->selection);
}

/** What is in the object header (compact) has come with it. Where the data lies in other files (external,
 * virtual), or nowhere yet, there is nothing to be announced of this one. */
static int readStored(const Reading *what, hid_t properties) {
  if (H5Sget_select_npoints(what->selection) <= 0)
    return 0;
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_CHUNKED)
    return readChunked(what, properties);
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(properties) == 0 &&
      H5Dget_offset(what->dataset) != HADDR_UNDEF)
    return readsPieces(what->dataset, what->selection);
  return 0;
}

int readsSelection(const Reading *what) {
  const hid_t properties = H5Dget_create_plist(what->dataset);
  const int rc = readStored(what, properties);
  H5Pclose(properties);
  return rc;
}
