// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PLANCALLS_H
#define FORERUN_SLICER_PLANCALLS_H

#include "slice/Closure.h"
#include "slice/Note.h"
#include "slice/Slice.h"

namespace forerun::slicer {

/// Notes the calls through pointers that may be reads and are not announced.
void noteUndecided(const Program &program, const PointsTo &pointsTo, std::vector<Note> &notes);

/// Decides what each call of the slice becomes, and where pre-execution can start.
void planCalls(const Program &program, const PointsTo &pointsTo, const Closure &closure,
               Slice &slice, std::vector<Note> &notes);

} // namespace forerun::slicer

#endif
