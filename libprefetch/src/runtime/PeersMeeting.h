// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forerun/Peers.h"

#include <cstdint>
#include <memory>
#include <mpi.h>
#include <string>

/// \file
/// How caches on several nodes learn about each other: when their processes first open a file
/// together.

namespace forerun {

struct PeersMeeting {
  std::unique_ptr<Peers> peers; ///< null: there are none
  std::string whyNone;          ///< the reason, if there are none
  std::uint64_t circle = 0;     ///< of all that have met here, and of nobody else; 0: no peers
  std::uint64_t firstName = 0;  ///< the names that this process gives to files begin after it
};

/// Collective over \p comm. \p node: a number that the processes of one node share, and no others
/// have. Throws nothing: the others would wait.
PeersMeeting meetPeers(MPI_Comm comm, int node, const CacheConfig &config) noexcept;

} // namespace forerun
