// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "facts/Frame.h"
#include "input/Overrides.h"

namespace forerun::slicer {

/// Turns the units into facts: the only part of the analysis that walks the AST. Functions and
/// globals of the same name with external linkage are one in all units; statics belong to a unit.
/// The control flow graph is built here from the statements, not by clang::CFG, whose elements
/// are smaller than what can be kept or left out, and whose pruned edges hide control
/// dependences. `models` must outlive the result. Functions that `frame` leaves out have no body.
Program lower(const std::vector<Unit> &units, const Models &models, const Overrides &overrides,
              const Frame *frame = nullptr);

} // namespace forerun::slicer
