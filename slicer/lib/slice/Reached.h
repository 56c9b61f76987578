// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_REACHED_H
#define FORERUN_SLICER_REACHED_H

#include "slice/Closure.h"
#include "slice/Slice.h"

#include <vector>

namespace forerun::slicer {

/// By node: whether the pre-execution thread may reach it. False only for nodes that come after a
/// place where it always ends; true in doubt.
std::vector<bool> reachedNodes(const Program &program, const Closure &closure, const Slice &slice);

} // namespace forerun::slicer

#endif
