// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_DATATYPEDECODER_H
#define FORERUN_DATATYPEDECODER_H

#include "types/TypeMap.h"

#include <mpi.h>
#include <optional>

/// \file
/// Takes a datatype apart with MPI's own inspection calls (MPI-4 section 5.1.13) and returns where
/// its bytes lie. Every combiner is known, in its int and its MPI_Count form; extents, with their
/// markers and alignments, are taken from MPI.
///
/// Calls MPI (which may wait for MPI's own lock) and allocates: on the pre-execution thread only
/// inside PreThread::Unstoppable. Any datatype handle that MPI returns on the way is freed.

namespace forerun {

/// Nothing if the datatype is overfull (see TypeMap), or unknown to this library.
std::optional<TypeMap> decodeDatatype(MPI_Datatype datatype);

/// Bytes of data in one element of \p datatype; 0 if invalid. Allocates nothing, and asks MPI only
/// about types of MPI's that are not named ones.
std::uint64_t typeBytes(MPI_Datatype datatype);

} // namespace forerun

#endif
