// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "types/TypeConstructor.h"
#include "types/TypeMap.h"

/// \file
/// The array constructors of MPI: a part of a multi-dimensional array, as a product of one set of
/// indices per dimension. Subarrays take one block of each dimension, distributed arrays
/// (MPI-4 section 5.1.4) a block or every n-th block.

namespace forerun {

void appendSubarray(TypeMap &map, const TypeConstructor::Subarray &array, const TypeMap &child);
void appendDarray(TypeMap &map, const TypeConstructor::Darray &array, const TypeMap &child);

} // namespace forerun
