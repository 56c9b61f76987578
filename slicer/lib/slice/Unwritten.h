// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_UNWRITTEN_H
#define FORERUN_SLICER_UNWRITTEN_H

#include "slice/Closure.h"
#include "slice/Note.h"
#include "slice/Slice.h"

namespace forerun::slicer {

/// Takes out of the slice what no text can be written for. An expression is left out, and a variable
/// is declared without its initial value: where that is missed, pre-execution ends (Unset.h). It also
/// ends in the place of a condition or a jump, and of an expression that cannot even be left out, since
/// its calls have to run.
void leaveOutUnwritten(const Program &program, const Closure &closure, Slice &slice,
                       std::vector<Note> &notes);

} // namespace forerun::slicer

#endif
