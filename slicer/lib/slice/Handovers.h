// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HANDOVERS_H
#define FORERUN_SLICER_HANDOVERS_H

#include "slice/Analysis.h"

/// \file
/// What the slice need not compute, because the main thread knows it in time.
///
/// The pre-execution thread waits for the main thread wherever a file is opened. Right after that,
/// the main thread can hand over what it has computed by then, and nobody waits longer than before.
/// The slice then need not parse options or compute the share of each rank, and its values are
/// the program's own.

namespace forerun::slicer {

/// Repeats the analysis \p found, of these \p units and with these options, but with variables
/// handed over, as by a pragma, after each statement that opens a file and does nothing else that
/// takes time. Null if it does not keep fewer statements, or takes longer than the limits allow.
std::unique_ptr<Analysis> handingOver(const Analysis &found, const Units &units,
                                      const Models &models, Overrides overrides,
                                      const Analysis::Limits &limits, Closure::Options options);

} // namespace forerun::slicer

#endif
