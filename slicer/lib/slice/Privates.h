// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_PRIVATES_H
#define FORERUN_SLICER_PRIVATES_H

#include "slice/Closure.h"

namespace forerun::slicer {

/// Globals and statics of which the pre-execution thread needs its own copy: those that anything
/// changes, and those that lead to something that has a clone or a copy. The others are shared and
/// only read.
std::set<const clang::VarDecl *> privateGlobals(const Program &program, const Effects &effects,
                                                const Closure &closure);

/// A function of a library that has a stand-in.
bool hasStandIn(const Program &program, const Object &object);

} // namespace forerun::slicer

#endif
