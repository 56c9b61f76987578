// SPDX-License-Identifier: Apache-2.0
#include "runtime/PoolMeeting.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <unistd.h>

namespace forerun {
namespace {

/// Whether \p mine is the same on all processes of \p comm.
bool areAlike(MPI_Comm comm, std::uint64_t mine) {
  const std::array<std::uint64_t, 2> own = {mine, ~mine};
  std::array<std::uint64_t, 2> least{};
  PMPI_Allreduce(own.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, comm);
  return least[0] == ~least[1];
}

/// The first makes it and says where it is; the others join.
std::unique_ptr<Pool> madeOrJoined(MPI_Comm node, const CacheConfig &config) {
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(node, &rank);
  PMPI_Comm_size(node, &size);
  const auto members = static_cast<unsigned>(size);
  std::unique_ptr<Pool> pool;
  std::array<int, 2> place = {static_cast<int>(getpid()), -1};
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
    place[1] = pool->fd();
  PMPI_Bcast(place.data(), 2, MPI_INT, 0, node);
  if (rank != 0 && place[1] >= 0)
    orNone([&] {
      return Pool::join(place[0], place[1], config, members, static_cast<unsigned>(rank));
    });
  return pool;
}

} // namespace

std::unique_ptr<Pool> meetInPool(MPI_Comm comm, const CacheConfig &config) noexcept {
  const bool isOneShape = areAlike(comm, config.capacityBytes) && areAlike(comm, config.pageBytes);
  MPI_Comm node = MPI_COMM_NULL;
  PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int size = 0;
  PMPI_Comm_size(node, &size);
  std::unique_ptr<Pool> pool;
  if (isOneShape && size > 1)
    pool = madeOrJoined(node, config);
  int isThere = pool != nullptr ? 1 : 0;
  int isEverywhere = 0;
  PMPI_Allreduce(&isThere, &isEverywhere, 1, MPI_INT, MPI_MIN, node);
  if (isEverywhere == 0)
    pool = nullptr;
  PMPI_Comm_free(&node);
  return pool;
}

} // namespace forerun
