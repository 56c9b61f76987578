// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Whether all processes of the job are on this node: then each of them says so. Local.
bool isJobOnThisNode();
/// Whether all processes of \p comm are of this job; all of them get the same answer. Local.
bool isOfOneJob(MPI_Comm comm);

/// Collective over \p comm, whose processes are all on this node and have no cache yet. Each exchange
/// counts: with more processes than cores it takes milliseconds. So this asks MPI for no
/// communicator. Throws nothing: the others would wait.
Meeting meetOnOneNode(MPI_Comm comm, const CacheConfig &config) noexcept;

/// The same for any processes. \p mayJoin: this process has no cache yet; one that has a cache stays
/// alone, and the others meet without it.
Meeting meetInPool(MPI_Comm comm, const CacheConfig &config, bool mayJoin) noexcept;

} // namespace forerun
