// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/Headers.h"

/// \file
/// What is inserted into the program's own code, which the main thread runs: it tells the runtime
/// about the start, each call that has a site, and the values that the pre-execution thread waits
/// for.

namespace forerun::slicer {

/// Adds the insertions to `edits`. Calls that no insertion can surround are problems of `scope`.
/// Returns whether the pre-execution thread starts in this unit.
bool editMainThread(EmitScope &scope, FileEdits &edits);

} // namespace forerun::slicer
