// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CHOICES_H
#define FORERUN_SLICER_CHOICES_H

#include "analysis/PointsTo.h"

namespace forerun::slicer {

/// The lowering finds by its type which functions of MPI-IO a pointer may point to. This drops the
/// ones that it is known not to point to: nothing is left of these calls but their ids.
void dropChoices(Program &program, const PointsTo &pointsTo);

} // namespace forerun::slicer

#endif
