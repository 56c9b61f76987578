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

/// The statements to hand over; none if that gains nothing. \p analysis keeps its slice, which was
/// taken with \p options.
HandedExits exitsToHand(const Analysis &analysis, const Closure::Options &options);

} // namespace forerun::slicer

#endif
