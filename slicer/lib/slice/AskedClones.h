// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_ASKEDCLONES_H
#define FORERUN_SLICER_ASKEDCLONES_H

#include "slice/Closure.h"

namespace forerun::slicer {

/// Clones that read what only some of their callers need (see Slice::asked).
std::set<const clang::FunctionDecl *> askedClones(const Program &program, const Closure &closure);

} // namespace forerun::slicer

#endif
