// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_STREAMS_H
#define FORERUN_SLICER_STREAMS_H

#include "analysis/PointsTo.h"
#include "models/Models.h"

namespace forerun::slicer {

/// The pre-execution thread can read again what it opens again. What comes from a stream that
/// nothing of the program opens, such as stdin, is there but once: makes calls that read from these
/// ones of which the main thread hands over the results.
void forwardForeignStreams(Program &program, const PointsTo &pointsTo, const Models &models);

} // namespace forerun::slicer

#endif
