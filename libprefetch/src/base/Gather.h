// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_GATHER_H
#define FORERUN_GATHER_H

#include <functional>
#include <mpi.h>
#include <vector>

/// \file
/// Messages of any length to rank 0, one rank after the other: rank 0 never holds more than two.

namespace forerun {

/// Collective. On rank 0 \p take gets every rank's message, in rank order, its own included.
void gatherToFirst(const std::vector<char> &own, MPI_Comm world,
                   const std::function<void(int rank, const std::vector<char> &message)> &take);

} // namespace forerun

#endif
