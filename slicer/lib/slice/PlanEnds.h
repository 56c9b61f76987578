// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PLANENDS_H
#define FORERUN_SLICER_PLANENDS_H

#include "analysis/PointsTo.h"
#include "slice/Closure.h"
#include "slice/Note.h"
#include "slice/Slice.h"

namespace forerun::slicer {

/// Decides where pre-execution ends because it could only go wrong or run for nothing: at the reads
/// of a variable that nothing kept gives a value (Unset), at a write through a pointer whose target
/// is unknown, and at a loop that no kept statement leaves and in which nothing is announced or
/// awaited. Runs after planCalls().
void planEnds(const Program &program, const PointsTo &pointsTo, const Closure &closure,
              Slice &slice, std::vector<Note> &notes);

} // namespace forerun::slicer

#endif
