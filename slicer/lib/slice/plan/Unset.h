// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "slice/plan/Slice.h"

#include <vector>

namespace clang {
class DeclRefExpr;
} // namespace clang

namespace forerun::slicer {

/// The names of variables in a function's clone, each with its enclosing statement, one in whose
/// place pre-execution can end. They are those that the emission writes: of a call, only the
/// arguments that its form has.
using KeptReferences = std::map<const clang::DeclRefExpr *, const clang::Stmt *>;
KeptReferences keptReferences(const clang::FunctionDecl &function, const Slice &slice);

/// A place where a clone would read a local variable that nothing in the clone has given a value,
/// although the program has.
struct Unset {
  const clang::FunctionDecl *function = nullptr;
  const clang::Stmt *statement = nullptr; ///< one in whose place pre-execution can end
  const clang::VarDecl *variable = nullptr;
};

/// Checks the slice independently of the analyses that made it: on Clang's own control flow graph,
/// in the way that Clang finds uninitialised uses. On the paths to each kept read, what gives the
/// variable a value in the program is compared with what is kept of that. It is unset if
///  - it is given a value on some path in the program, and on none in the clone;
///  - or it is assigned on every path in the program, and on some path the clone does not even
///    name it.
/// `ending`: calls that do not return.
std::vector<Unset> findUnset(const Slice &slice, const std::set<const clang::CallExpr *> &ending);

} // namespace forerun::slicer
