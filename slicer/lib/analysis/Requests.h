// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/PointsTo.h"

#include <optional>
#include <vector>

namespace forerun::slicer {

/// The index of the argument that a non-blocking call writes its request to. Empty for a call
/// that only describes what others start (MPI_Recv_init).
std::optional<int> requestOf(const FunctionModel &model);

/// The calls that may complete what the non-blocking call `start` begins: those that are given the
/// place of its request.
std::vector<CallId> completionsOf(const Program &program, const PointsTo &pointsTo, CallId start);

} // namespace forerun::slicer
