// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_ALLOCATORS_H
#define FORERUN_SLICER_ALLOCATORS_H

#include "input/Unit.h"
#include "models/Models.h"

#include <functional>
#include <set>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace forerun::slicer {

/// The program's own functions that do nothing with memory but give what malloc has given them: each
/// of their calls allocates memory of its own, as a call of malloc does. Without them all that a
/// program takes by its own `safeMalloc` would be one object.
///
/// Such a function returns null, what malloc (or another such function) returns, or a local variable
/// that only ever has that value: that is compared, filled by a pure function and returned, and
/// neither stored nor passed on.
using FindDefinition = std::function<const clang::FunctionDecl *(const clang::FunctionDecl *)>;
std::set<const clang::FunctionDecl *>
allocatorsAmong(const std::set<const clang::FunctionDecl *> &definitions, const Models &models,
                const FindDefinition &definitionOf);

} // namespace forerun::slicer

#endif
