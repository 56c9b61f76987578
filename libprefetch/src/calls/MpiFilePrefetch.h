// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_MPIFILEPREFETCH_H
#define FORERUN_MPIFILEPREFETCH_H

#include "base/OpenedFile.h"
#include "calls/PrefetchCall.h"
#include "files/Handle.h"

#include <cstdint>
#include <mpi.h>

/// \file
/// What the rest of the library does with the two prefetch file pointers of a file.

namespace forerun {

/// MPI_File_set_view has succeeded: the view of calls made by hand follows. Called by the door, on
/// any thread but the pre-execution thread.
void setHandView(forerun_handle &handle, MPI_Offset displacement, MPI_Datatype etype,
                 MPI_Datatype filetype);

/// What there is to know of a file that is open.
OpenedFile describe(const forerun_handle &handle, std::uint32_t generation);

/// @{ As MPI_File_prefetch_read and _read_at.
Brought bring(MPI_File fh, void *buffer, int count, MPI_Datatype datatype);
Brought bringAt(MPI_File fh, MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype);
/// @}

} // namespace forerun

#endif
