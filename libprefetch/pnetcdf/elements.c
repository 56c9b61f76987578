/* SPDX-License-Identifier: Apache-2.0 */
#include "elements.h"

size_t elementBytesOf(nc_type type) {
  switch (type) {
  case NC_BYTE:
  case NC_CHAR:
  case NC_UBYTE:
    return 1;
  case NC_SHORT:
  case NC_USHORT:
    return 2;
  case NC_INT:
  case NC_UINT:
  case NC_FLOAT:
    return 4;
  case NC_DOUBLE:
  case NC_INT64:
  case NC_UINT64:
    return 8;
  default:
    return 0;
  }
}
