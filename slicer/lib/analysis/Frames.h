// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/PointsTo.h"

namespace forerun::slicer {

/// Automatic variables of recursive functions, of which a pointer may lead to that of another call:
/// `void walk(int n, int *out) { int sum = 0; if (n > 0) walk(n - 1, &sum); *out = sum; }`. The object
/// stands for those of all calls (Object::isInManyFrames): like a global, it is reached from other
/// calls, and a write replaces perhaps another one.
void findManyFrames(Program &program, const PointsTo &pointsTo);

} // namespace forerun::slicer
