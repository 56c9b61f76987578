// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_CUTEXITS_H
#define FORERUN_SLICER_CUTEXITS_H

#include "slice/Analysis.h"

/// \file
/// Early exits that were left out, of loops after which more is read:
/// `for (step...) for (it...) { read; compute; if (residual < tolerance) break; }`. The pre-execution
/// thread would go on to the end of the inner loop, and announce nothing that is read after the exit
/// until then. So what decides on the exit is handed over, and predicted (Steering.h).
///
/// Only where the thread does nothing in the loop that ends a prediction: else it would wait for the
/// main thread in each turn. An exit of the last loop that reads stays left out.

namespace forerun::slicer {

/// \p options with what decides on such exits; nothing if it cannot be handed over, or then waits for
/// more. \p analysis, which was taken with \p options, keeps its slice.
std::optional<Closure::Options> cutExits(const Analysis &analysis, const Closure::Options &options);

} // namespace forerun::slicer

#endif
