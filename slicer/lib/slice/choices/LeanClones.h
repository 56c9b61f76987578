// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/needs/ClosureInput.h"
#include "slice/needs/Kept.h"
#include "slice/needs/Needs.h"

/// \file
/// Lean clones. A function that reads and also computes something of what it reads (its byte order, a
/// sum) has a second clone if only some calls in the slice need that. The lean one has only what its
/// own reads need: it announces, where the full one would have to wait for the bytes.
///
/// Which parts these are follows from a second closure, of a slice that differs from the first in
/// one thing: what is needed of a call of a full clone is not passed into the function. (Specialised
/// slices; compare Aung, Horwitz, Joiner, Reps, TOPLAS 2014.) What the full clone needs at entry
/// is needed only at its own calls; which calls these are is guessed, and guessed again if one
/// that was taken for one of the lean clone turns out to need more.
///
/// Invariants:
///  - A full clone, and a function that has no lean one, is in the second slice as in the first. So
///    the second has all that they need of lean clones that call them.
///  - In lean clones, each call of a function that has a lean clone is one of that.
///  - Both clones pass the same sites equally often, in the same order.

namespace forerun::slicer {

/// Functions that could have a lean clone, some calls of which need more.
std::set<FunctionId> leanCandidates(const ClosureInput &input, const Kept &full);

/// Which of them have one if no full clone needs anything; \p lean is a second closure that knows
/// nothing of the first.
Lean leanCalls(const ClosureInput &input, const std::set<FunctionId> &candidates, const Kept &full,
               const Kept &lean);

/// Closes the second closure. \p input is that of the second, \p needs fill \p lean.
void closeLean(const ClosureInput &input, const Kept &full, Kept &lean, Needs &needs);

/// Whether both clones of the function would be the same.
bool areAlike(const Program &program, FunctionId function, const Kept &full, const Kept &lean);

} // namespace forerun::slicer
