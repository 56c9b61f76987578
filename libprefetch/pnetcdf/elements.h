/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pnetcdf.h>
#include <stddef.h>

/** In the file; 0: there is no such type. */
size_t elementBytesOf(nc_type type);
