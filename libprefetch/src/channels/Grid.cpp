// SPDX-License-Identifier: Apache-2.0
#include "channels/Grid.h"

#include <cstddef>
#include <mpi.h>

namespace forerun {
namespace {

/// In 0 to \p size - 1.
long long wrapped(long long place, int size) { return (place % size + size) % size; }

} // namespace

void Grid::coordsOf(int rank, int *coords) const {
  for (std::size_t i = dims.size(); i-- > 0; rank /= dims[i])
    coords[i] = rank % dims[i];
}

std::optional<int> Grid::rankOf(const int *coords) const {
  int rank = 0;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool isInside = coords[i] >= 0 && coords[i] < dims[i];
    if (!isInside && periods[i] == 0)
      return std::nullopt;
    rank = rank * dims[i] + static_cast<int>(wrapped(coords[i], dims[i]));
  }
  return rank;
}

std::optional<Grid::Neighbours> Grid::shift(int rank, int direction, int distance) const {
  if (direction < 0 || static_cast<std::size_t>(direction) >= dims.size())
    return std::nullopt;
  const auto along = static_cast<std::size_t>(direction);
  const int size = dims[along];
  int stride = 1; // between the ranks of neighbours
  for (std::size_t i = along + 1; i < dims.size(); ++i)
    stride *= dims[i];
  const long long own = rank / stride % size;
  const auto rankAt = [&](long long place) {
    if (periods[along] == 0 && (place < 0 || place >= size))
      return int{MPI_PROC_NULL};
    return rank + static_cast<int>(wrapped(place, size) - own) * stride;
  };
  return Neighbours{rankAt(own - distance), rankAt(own + distance)};
}

} // namespace forerun
