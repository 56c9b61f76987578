// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/door.h"

/// \file
/// Our side of the door: what an MPI-IO implementation calls; see forerun/door.h.
///
/// For a file of which nothing was ever announced (cache=auto), or while prefetching is suspended,
/// the main thread pays one relaxed load per read.

namespace forerun {

/// The table that is registered with the patched MPI-IO when the library is loaded.
const forerun_door &door();

} // namespace forerun
