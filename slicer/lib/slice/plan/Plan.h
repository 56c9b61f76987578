// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/plan/Planner.h"

namespace forerun::slicer {

/// Decides what each call of the slice becomes, which variables it declares and which globals it
/// copies. Fills `notes` with what is not announced, and why.
Slice plan(const Closure &closure, std::vector<Note> &notes);

/// By node: whether the pre-execution thread may reach it. False only for nodes that come after a
/// place where it always ends; true in doubt.
std::vector<bool> reachedNodes(const Closure &closure, const Slice &slice);

} // namespace forerun::slicer
