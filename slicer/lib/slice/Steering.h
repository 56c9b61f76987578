// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_STEERING_H
#define FORERUN_SLICER_STEERING_H

#include "slice/Analysis.h"

/// \file
/// Loops that a computed value steers: `while (residual > tolerance) { read; compute; reduce; }`.
/// The slice would be the whole program again, or wait in each iteration for a value from the main
/// thread that it cannot predict.
///
/// So the outcomes of conditions and of integer assignments are handed over instead of what they
/// are computed from, where the slice then waits less, or need not compute with the program's data.
/// The outcome of a condition, and the size of a step, mostly stay the same: the runtime
/// predicts these (libprefetch/src/thread/Predictions.h). As few as possible are handed over: the
/// last ones before a read.

namespace forerun::slicer {

/// \p options with the statements to hand over; nothing if there is no gain in that. \p analysis, which
/// was taken with \p options, keeps its slice.
std::optional<Closure::Options> steering(const Analysis &analysis, const Closure::Options &options);

} // namespace forerun::slicer

#endif
