// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/PointsTo.h"
#include "models/Models.h"

namespace forerun::slicer {

/// The pre-execution thread can read again what it opens again. But what comes from a stream that
/// the program does not open, such as stdin, is there only once. So this makes the main thread hand
/// over the results of calls that read from such streams.
void forwardForeignStreams(Program &program, const PointsTo &pointsTo, const Models &models);

} // namespace forerun::slicer
