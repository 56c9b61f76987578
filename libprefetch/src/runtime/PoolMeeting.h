// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_POOLMEETING_H
#define FORERUN_POOLMEETING_H

#include "forerun/Pool.h"

#include <memory>
#include <mpi.h>

/// \file
/// How the processes of a node get a pool: when they first open a file together.

namespace forerun {

struct Meeting {
  std::unique_ptr<Pool> pool;
  const char *whyNone = ""; ///< the reason, if there is none
  int onNode = 1;           ///< how many processes of this node may join
  int node = 0;             ///< the lowest rank among those
};

/// Collective over \p comm. \p mayJoin: this process has no cache yet; one that has a cache stays
/// alone, and the others meet without it. Throws nothing: the others would wait.
Meeting meetInPool(MPI_Comm comm, const CacheConfig &config, bool mayJoin) noexcept;

} // namespace forerun

#endif
