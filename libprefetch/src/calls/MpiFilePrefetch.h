// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/HandleTable.h"

#include <mpi.h>

/// \file
/// What the program does with the file pointers of prefetch calls made by hand.

namespace forerun {

/// MPI_File_set_view has succeeded: the view of calls made by hand follows. Called by the door, on
/// any thread except the pre-execution thread.
void setHandView(HandleTable &handles, forerun_handle &handle, MPI_Offset displacement,
                 MPI_Datatype etype, MPI_Datatype filetype);

} // namespace forerun
