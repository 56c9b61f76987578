// SPDX-License-Identifier: Apache-2.0
#include "runtime/PoolMeeting.h"

#include "mpi/Launcher.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <unistd.h>
#include <utility>

namespace forerun {
namespace {

/// Where the pool of a node is, and its sizes.
struct Place {
  std::int64_t creator = 0; ///< process
  std::int64_t fd = -1;     ///< in that process; -1: there is no pool
  std::uint64_t capacityBytes = 0, pageBytes = 0;
};
constexpr int kPlaceNumbers = sizeof(Place) / sizeof(std::int64_t);

/// Rank 0 makes it and says where it is; the others join if their sizes are the same.
Meeting madeOrJoined(MPI_Comm node, const CacheConfig &config) {
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(node, &rank);
  PMPI_Comm_size(node, &size);
  const auto members = static_cast<unsigned>(size);
  std::unique_ptr<Pool> pool;
  Place place{getpid(), -1, config.capacityBytes, config.pageBytes};
  const auto orNone = [&](const auto &make) {
    try {
      pool = make();
    } catch (const std::bad_alloc &) {
      pool = nullptr;
    }
  };
  if (rank == 0)
    orNone([&] { return Pool::create(config, members); });
  if (pool != nullptr)
    place.fd = pool->fd();
  PMPI_Bcast(&place, kPlaceNumbers, MPI_INT64_T, 0, node);
  const bool isAlike =
      place.capacityBytes == config.capacityBytes && place.pageBytes == config.pageBytes;
  if (rank != 0 && place.fd >= 0 && isAlike)
    orNone([&] {
      return Pool::join(static_cast<pid_t>(place.creator), static_cast<int>(place.fd), config,
                        members, static_cast<unsigned>(rank));
    });
  if (pool != nullptr)
    return {std::move(pool)};
  if (!isAlike)
    return {nullptr, "the caches of its node have other sizes or pages"};
  if (config.pageBytes > Pool::kLargestPageBytes)
    return {nullptr, "its pages are larger than 256K"};
  return {nullptr, "there is no memory or file descriptor for a "
                   "shared one, or /proc does not show it"};
}

/// By which MPICH is made to take the processes of a node for those of several.
constexpr std::array<const char *, 3> kPretended{"MPIR_CVAR_NOLOCAL", "MPIR_CVAR_ODD_EVEN_CLIQUES",
                                                 "MPIR_CVAR_NUM_CLIQUES"};

/// All processes of \p node have it, or none; \p rank: the caller's elsewhere. The lowest of those is
/// found out on the way.
Meeting agreed(MPI_Comm node, Meeting meeting, int rank) {
  const std::array<int, 2> mine{meeting.pool != nullptr ? 1 : 0, rank};
  std::array<int, 2> least{};
  PMPI_Allreduce(mine.data(), least.data(), 2, MPI_INT, MPI_MIN, node);
  if (mine[0] != 0 && least[0] == 0)
    meeting = {nullptr, "another process of its node cannot share its own"};
  PMPI_Comm_size(node, &meeting.onNode);
  meeting.node = least[1];
  return meeting;
}

} // namespace

bool isJobOnThisNode() {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  return forerun_processes_on_node() == size &&
         std::ranges::none_of(kPretended,
                              [](const char *name) { return secure_getenv(name) != nullptr; });
}

bool isOfOneJob(MPI_Comm comm) {
  MPI_Group job = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group strangers = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &job);
  PMPI_Comm_group(comm, &group);
  PMPI_Group_difference(group, job, &strangers);
  const bool areNone = strangers == MPI_GROUP_EMPTY;
  for (MPI_Group *each : {&job, &group, &strangers})
    if (*each != MPI_GROUP_EMPTY)
      PMPI_Group_free(each);
  return areNone;
}

Meeting meetOnOneNode(MPI_Comm comm, const CacheConfig &config) noexcept {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return agreed(comm, madeOrJoined(comm, config), rank);
}

Meeting meetInPool(MPI_Comm comm, const CacheConfig &config, bool mayJoin) noexcept {
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm, mayJoin ? int{MPI_COMM_TYPE_SHARED} : int{MPI_UNDEFINED}, 0,
                       MPI_INFO_NULL, &node);
  if (!mayJoin)
    return {nullptr, "it has come with others, or alone, before"};
  int size = 0;
  PMPI_Comm_size(node, &size);
  Meeting meeting{nullptr, "there is no other process on its node"};
  if (size > 1)
    meeting = madeOrJoined(node, config);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  meeting = agreed(node, std::move(meeting), rank);
  PMPI_Comm_free(&node);
  return meeting;
}

} // namespace forerun
