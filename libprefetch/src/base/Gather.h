// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mpi.h>
#include <new>
#include <type_traits>
#include <vector>

/// \file
/// Messages of any length to rank 0, one rank after the other: rank 0 never holds more than two. If
/// a rank has no memory for something, it is empty: the rank takes part in everything collective,
/// so that no other waits for it.

namespace forerun {

/// Collective. On rank 0, \p take gets each rank's message, in rank order, including its own.
void gatherToFirst(const std::vector<char> &own, MPI_Comm world,
                   const std::function<void(int rank, const std::vector<char> &message)> &take);

/// What \p make returns; an empty value if there is no memory for it.
template <typename Make> auto orNothing(const Make &make) -> std::invoke_result_t<Make> {
  using Made = std::invoke_result_t<Make>;
  try {
    return make();
  } catch (const std::bad_alloc &) {
    return Made();
  }
}

} // namespace forerun
