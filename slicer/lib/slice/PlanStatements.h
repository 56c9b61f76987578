// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PLANSTATEMENTS_H
#define FORERUN_SLICER_PLANSTATEMENTS_H

#include "slice/Closure.h"
#include "slice/Note.h"
#include "slice/Slice.h"

namespace forerun::slicer {

/// Adds the statements of the slice, the variables that it declares, and what is handed over after
/// statements.
void planStatements(const Program &program, const Closure &closure, Slice &slice,
                    std::vector<Note> &notes);

} // namespace forerun::slicer

#endif
