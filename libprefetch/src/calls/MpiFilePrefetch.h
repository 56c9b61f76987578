// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_MPIFILEPREFETCH_H
#define FORERUN_MPIFILEPREFETCH_H

#include "calls/PrefetchCall.h"
#include "files/HandleTable.h"

#include <mpi.h>

/// \file
/// What the rest of this directory does with the two prefetch file pointers of a file.

namespace forerun {

/// MPI_File_set_view has succeeded: the view of calls made by hand follows. Called by the door, on
/// any thread except the pre-execution thread.
void setHandView(HandleTable &handles, forerun_handle &handle, MPI_Offset displacement,
                 MPI_Datatype etype, MPI_Datatype filetype);

/// @{ Like MPI_File_prefetch_read, _read_at, and for MPI_File_prefetch_ordered.
Brought bring(MPI_File fh, void *buffer, int count, MPI_Datatype datatype);
Brought bringOrdered(MPI_File fh, void *buffer, int count, MPI_Datatype datatype);
Brought bringAt(MPI_File fh, MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype);
/// @}

/// @{ Announces the read, and says how many bytes it will bring; failed if only the read can tell.
Brought count(MPI_File fh, int count, MPI_Datatype datatype);
Brought countAt(MPI_File fh, MPI_Offset offset, int count, MPI_Datatype datatype);
/// @}

} // namespace forerun

#endif
