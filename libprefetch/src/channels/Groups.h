// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/Grid.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

/// \file
/// The processes of a communicator of the program, for the pre-execution thread: it may not ask MPI
/// about a handle that the main thread may have freed.
///
/// Invariant: an entry does not change once it is counted, and is never removed.

namespace forerun {

struct Group {
  MPI_Comm comm = MPI_COMM_NULL;
  std::uint64_t id = 0; ///< computed from `ranks`: the same on each of its processes
  int me = MPI_UNDEFINED;
  std::vector<int> ranks;   ///< in MPI_COMM_WORLD, by rank; empty: nothing is known of it any more
  std::optional<Grid> grid; ///< if it has a Cartesian topology
};

class Groups {
public:
  static constexpr std::size_t kMax = 4096;

  /// Main thread; asks MPI. Inter-communicators are not kept.
  void keep(MPI_Comm comm);

  /// Any thread. The last of those that had this handle; null: none was kept, or there were more
  /// than kMax, so that a later one may have it.
  const Group *find(MPI_Comm comm) const;

private:
  void hide(MPI_Comm comm);
  void append(std::unique_ptr<const Group> group);

  std::array<std::unique_ptr<const Group>, kMax> groups_;
  std::atomic<std::size_t> count_{0}; ///< kMax + 1: there were more
};

} // namespace forerun
