// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"

namespace forerun::slicer {

/// Code that tells the runtime, before main begins, where this unit's sites are: those of I/O calls
/// for the report of a run, and all at which the pre-execution thread may wait for forerun-check.
/// Empty if there are none. The text after it has the line numbers of another file.
std::string callPlaces(const EmitScope &scope);

} // namespace forerun::slicer
