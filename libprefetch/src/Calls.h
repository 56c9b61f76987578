// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_CALLS_H
#define FORERUN_CALLS_H

#include "Handle.h"
#include "PrefetchCall.h"

#include <mpi.h>

/// \file
/// What the rest of the library does with the two prefetch file pointers of a file.

namespace forerun {

/// MPI_File_set_view has succeeded: the view of calls made by hand follows. Called by the door, on
/// any thread but the pre-execution thread.
void setHandView(forerun_handle &handle, MPI_Offset displacement, MPI_Datatype etype,
                 MPI_Datatype filetype);

/// The pre-execution thread has met the open that gave \p fh: its pointer and view begin anew, also
/// where calls that were late have touched them. Called by the pre-execution thread.
void beginPrePointer(MPI_File fh);

/// @{ As MPI_File_prefetch_read and _read_at.
Brought bring(MPI_File fh, void *buffer, int count, MPI_Datatype datatype);
Brought bringAt(MPI_File fh, MPI_Offset offset, void *buffer, int count, MPI_Datatype datatype);
/// @}

} // namespace forerun

#endif
