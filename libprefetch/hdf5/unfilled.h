/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <hdf5.h>
#include <stdbool.h>

/** \file
 * Data sets that are unfilled: chunks of them have been announced, and so are without their bytes in the chunk cache, which
 * all who have the data set open share. Whoever needs values of one reads past that cache.
 */

void unfilledAdd(hid_t dataset);
bool unfilledHas(hid_t dataset);
