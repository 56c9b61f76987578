/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

/** As many bytes, in which nobody looks, and which nobody else writes; valid until the next call. PnetCDF swaps
 * the bytes of what it believes to have read: so all of these addresses are the same little memory, over and
 * over, which stays in the processor's cache. NULL: there are no addresses. */
void *scratchTake(size_t bytes);
