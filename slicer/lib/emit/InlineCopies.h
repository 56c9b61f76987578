// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/EmitScope.h"

#include <clang/AST/Expr.h>
#include <map>

namespace forerun::slicer {

/// An inline function that is not static is one function with a definition in each unit, and the
/// compiler may take any of them. The analysis has seen one: these are the calls in this unit's
/// others, each with its analysed counterpart. Definitions that differ are problems of `scope`.
std::map<const clang::CallExpr *, const clang::CallExpr *> inlineCopies(EmitScope &scope);

} // namespace forerun::slicer
