// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HANDOVERS_H
#define FORERUN_SLICER_HANDOVERS_H

#include "slice/Analysis.h"

/// \file
/// What the slice need not compute, since it is known in time.
///
/// The pre-execution thread waits for the main thread wherever a file is opened. Right after that,
/// the main thread can hand over what it has computed by then, and nobody waits longer than before.
/// The slice then has no options to parse and no share of each rank to compute, and its values are
/// the program's own.

namespace forerun::slicer {

/// The analysis that found \p found, of these \p units and with these options, but with variables
/// handed over, as by a pragma, after each statement that opens a file and does nothing else that
/// takes time. Null if that does not keep fewer statements, or takes longer than the limits allow.
std::unique_ptr<Analysis> handingOver(const Analysis &found, const Units &units,
                                      const Models &models, Overrides overrides,
                                      Analysis::Limits limits, Closure::Options options);

} // namespace forerun::slicer

#endif
