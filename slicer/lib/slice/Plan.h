// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PLAN_H
#define FORERUN_SLICER_PLAN_H

#include "slice/Closure.h"
#include "slice/Note.h"
#include "slice/Slice.h"

namespace forerun::slicer {

/// Decides what each call of the slice becomes, which variables it declares and which globals it
/// copies. Fills `notes` with what is not announced, and why.
Slice plan(const Program &program, const Effects &effects, const Closure &closure,
           std::vector<Note> &notes);

} // namespace forerun::slicer

#endif
