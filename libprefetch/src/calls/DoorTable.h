// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_DOORTABLE_H
#define FORERUN_DOORTABLE_H

#include "forerun/door.h"

/// \file
/// Our side of the door: what an MPI-IO implementation calls, see forerun/door.h.
///
/// What the main thread pays for a file of which nothing was ever announced (cache=auto), or while
/// prefetching is suspended, is one relaxed load a read.

namespace forerun {

/// The table that is registered with the patched MPI-IO when the library is loaded.
const forerun_door &door();

} // namespace forerun

#endif
