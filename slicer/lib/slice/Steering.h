// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_STEERING_H
#define FORERUN_SLICER_STEERING_H

#include "slice/Analysis.h"

/// \file
/// Loops that a computed value steers: `while (residual > tolerance) { read; compute; reduce; }`.
/// The slice would be the program again, or wait for the main thread in each turn for a value that
/// it cannot predict.
///
/// So conditions, and assignments of integers, are handed over in place of what they are computed
/// from, where the slice then waits less, or does without what the program computes with its data.
/// How a condition comes out, and by how much a step goes, mostly stays as it was: the runtime
/// predicts these (libprefetch/src/thread/Predictions.h). As few as will do, the last ones before a
/// read.

namespace forerun::slicer {

/// What is handed over then, none if that gains nothing. \p analysis keeps its slice.
HandedStatements steering(const Analysis &analysis, const Closure::Options &options);

} // namespace forerun::slicer

#endif
