// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_KEPTREFERENCES_H
#define FORERUN_SLICER_KEPTREFERENCES_H

#include "slice/Slice.h"

namespace clang {
class DeclRefExpr;
} // namespace clang

namespace forerun::slicer {

/// The names of variables in a function's clone, each with its enclosing statement, one in whose
/// place pre-execution can end. They are those that the emission writes: of a call, only the
/// arguments that its form has.
using KeptReferences = std::map<const clang::DeclRefExpr *, const clang::Stmt *>;
KeptReferences keptReferences(const clang::FunctionDecl &function, const Slice &slice);

} // namespace forerun::slicer

#endif
