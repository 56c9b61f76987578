// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

namespace forerun {

/// The Cartesian topology of a communicator. Ranks are numbered by rows, as the standard of MPI
/// says (MPI 4.0, section 8.2).
struct Grid {
  struct Neighbours {
    int source, target;
  };

  std::vector<int> dims, periods; ///< as MPI_Cart_get gives them

  // None of these allocates: the pre-execution thread may be ended at any time. \p rank must be that
  // of a process, and \p coords have as many elements as `dims`.
  void coordsOf(int rank, int *coords) const;
  /// Nothing where MPI_Cart_rank would fail.
  std::optional<int> rankOf(const int *coords) const;
  /// As MPI_Cart_shift; nothing where it would fail.
  std::optional<Neighbours> shift(int rank, int direction, int distance) const;

  bool operator==(const Grid &) const = default;
};

} // namespace forerun
