// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_POOLMEETING_H
#define FORERUN_POOLMEETING_H

#include "forerun/Pool.h"

#include <memory>
#include <mpi.h>

/// \file
/// How the processes of a node come to a pool: when they first open a file together.

namespace forerun {

/// Collective over \p comm. Null: this process is alone on its node, or they could not agree. Throws
/// nothing: the others would wait.
std::unique_ptr<Pool> meetInPool(MPI_Comm comm, const CacheConfig &config) noexcept;

} // namespace forerun

#endif
