// SPDX-License-Identifier: Apache-2.0
#include "channels/Groups.h"

#include <algorithm>
#include <numeric>

namespace forerun {
namespace {

/// FNV-1a.
std::uint64_t idOf(const std::vector<int> &ranks) {
  constexpr std::uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x100000001b3;
  std::uint64_t id = kOffset;
  for (const int rank : ranks)
    id = (id ^ static_cast<std::uint64_t>(rank)) * kPrime;
  return id;
}

std::vector<int> worldRanksOf(MPI_Comm comm) {
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Comm_group(comm, &group);
  int size = 0;
  PMPI_Group_size(group, &size);
  std::vector<int> own(static_cast<std::size_t>(size)), ranks(own.size());
  std::iota(own.begin(), own.end(), 0);
  PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return ranks;
}

std::optional<Grid> gridOf(MPI_Comm comm) {
  int topology = MPI_UNDEFINED, count = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology != MPI_CART)
    return std::nullopt;
  PMPI_Cartdim_get(comm, &count);
  const auto size = static_cast<std::size_t>(count);
  std::vector<int> coords(size);
  Grid grid{std::vector<int>(size), std::vector<int>(size)};
  PMPI_Cart_get(comm, count, grid.dims.data(), grid.periods.data(), coords.data());
  return grid;
}

} // namespace

void Groups::keep(MPI_Comm comm) {
  int isInter = 0;
  const std::size_t count = count_.load(std::memory_order_relaxed);
  int up = 0; // a program that uses only sessions of MPI has no MPI_COMM_WORLD
  PMPI_Initialized(&up);
  if (up == 0 || comm == MPI_COMM_NULL || count > kMax)
    return;
  PMPI_Comm_test_inter(comm, &isInter);
  if (isInter != 0)
    return hide(comm);
  auto group = std::make_unique<Group>();
  group->comm = comm;
  group->ranks = worldRanksOf(comm);
  group->id = idOf(group->ranks);
  group->grid = gridOf(comm);
  PMPI_Comm_rank(comm, &group->me);
  // A process outside MPI_COMM_WORLD (MPI_Comm_spawn) cannot be reached.
  if (std::find(group->ranks.begin(), group->ranks.end(), MPI_UNDEFINED) != group->ranks.end())
    return hide(comm);
  const Group *const known =
      find(comm); // most programs that make one again and again make the same
  if (known != nullptr && known->ranks == group->ranks && known->me == group->me &&
      known->grid == group->grid)
    return;
  append(std::move(group));
}

/// The handle may have been that of another communicator.
void Groups::hide(MPI_Comm comm) {
  if (find(comm) == nullptr)
    return;
  auto nothing = std::make_unique<Group>();
  nothing->comm = comm;
  append(std::move(nothing));
}

void Groups::append(std::unique_ptr<const Group> group) {
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (count < kMax)
    groups_[count] = std::move(group);
  if (count <= kMax)
    count_.store(count + 1, std::memory_order_release);
}

const Group *Groups::find(MPI_Comm comm) const {
  const std::size_t count = count_.load(std::memory_order_acquire);
  for (std::size_t i = count > kMax ? 0 : count; i > 0; --i)
    if (groups_[i - 1]->comm == comm)
      return groups_[i - 1]->ranks.empty() ? nullptr : groups_[i - 1].get();
  return nullptr;
}

} // namespace forerun
