// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/Analysis.h"

namespace forerun::slicer {

/// Loops that a computed value steers: `while (residual > tolerance) { read; compute; reduce; }`.
/// The slice would be the whole program again, or wait in each iteration for a value from the main
/// thread that it cannot predict.
///
/// So the outcomes of conditions and of integer assignments are handed over instead of what they
/// are computed from, where the slice then waits less, or need not compute with the program's data.
/// The outcome of a condition, and the size of a step, mostly stay the same: the runtime
/// predicts these (libprefetch/src/thread/Predictions.h). As few as possible are handed over: the
/// last ones before a read.
///
/// \p options with the statements to hand over; nothing if there is no gain in that. \p analysis, which
/// was taken with \p options, keeps its slice.
std::optional<Closure::Options> steering(const Analysis &analysis, const Closure::Options &options);

/// Early exits that were left out, of loops after which more is read:
/// `for (step...) for (it...) { read; compute; if (residual < tolerance) break; }`. The pre-execution
/// thread would go on to the end of the inner loop, and announce nothing that is read after the exit
/// until then. So what decides on the exit is handed over, and predicted.
///
/// Only where the thread does nothing in the loop that ends a prediction: else it would wait for the
/// main thread in each turn. An exit of the last loop that reads stays left out.
///
/// \p options with what decides on such exits; nothing if it cannot be handed over, or then waits for
/// more. \p analysis, which was taken with \p options, keeps its slice.
std::optional<Closure::Options> cutExits(const Analysis &analysis, const Closure::Options &options);

/// What the slice need not compute, because the main thread knows it in time.
///
/// The pre-execution thread waits for the main thread wherever a file is opened. Right after that,
/// the main thread can hand over what it has computed by then, and nobody waits longer than before.
/// The slice then need not parse options or compute the share of each rank, and its values are
/// the program's own.
///
/// Repeats the analysis \p found, of these \p units and with these options, but with variables
/// handed over, as by a pragma, after each statement that opens a file and does nothing else that
/// takes time. Null if it does not keep fewer statements, or takes longer than the limits allow.
std::unique_ptr<Analysis> handingOver(const Analysis &found, const Units &units,
                                      const Models &models, Overrides overrides,
                                      const Analysis::Limits &limits, Closure::Options options);

} // namespace forerun::slicer
