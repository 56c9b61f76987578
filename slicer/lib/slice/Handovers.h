// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_HANDOVERS_H
#define FORERUN_SLICER_HANDOVERS_H

#include "slice/Analysis.h"

/// \file
/// What the slice need not compute, since it is known in time.
///
/// Where a file is opened the pre-execution thread waits for the main thread. What the main thread
/// has computed by then it can hand over right behind that, and nobody waits longer than before:
/// the slice has no options to parse, no share of each rank to compute, and can compute nothing
/// else than the program did.

namespace forerun::slicer {

/// The analysis that found \p found, of these \p units and with these options, with variables
/// handed over, as by a pragma, behind each statement that opens a file and does nothing else that
/// takes time. Null if that keeps no fewer statements, or takes longer than the limits allow.
std::unique_ptr<Analysis> handingOver(const Analysis &found, const Units &units,
                                      const Models &models, Overrides overrides,
                                      Analysis::Limits limits, Closure::Options options);

} // namespace forerun::slicer

#endif
