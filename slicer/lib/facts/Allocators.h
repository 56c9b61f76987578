// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Unit.h"
#include "models/Models.h"

#include <functional>
#include <set>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace forerun::slicer {

/// The program's own functions that do nothing with memory but return what malloc has given them, or
/// a piece of an arena (Arenas.h): each of their calls allocates memory of its own, as a call of malloc does. Otherwise, all that a
/// program allocates by its own `safeMalloc` would be one object.
///
/// Such a function returns null, the result of malloc (or of another such function), a piece, or a local
/// variable that only ever has such a value: it may be compared, filled by a pure function and
/// returned, but neither stored nor passed on.
using FindDefinition = std::function<const clang::FunctionDecl *(const clang::FunctionDecl *)>;
std::set<const clang::FunctionDecl *>
allocatorsAmong(const std::set<const clang::FunctionDecl *> &definitions, const Models &models,
                const FindDefinition &definitionOf);

} // namespace forerun::slicer
