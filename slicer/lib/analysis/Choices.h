// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/PointsTo.h"

namespace forerun::slicer {

/// The lowering finds by its type which functions of MPI-IO a pointer may point to. This drops the
/// ones that it is known not to point to: nothing is left of these calls but their ids.
void dropChoices(Program &program, const PointsTo &pointsTo);

} // namespace forerun::slicer
