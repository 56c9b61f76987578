// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_UNSET_H
#define FORERUN_SLICER_UNSET_H

#include "slice/Slice.h"

#include <vector>

namespace forerun::slicer {

/// A place where a clone would read a local variable that nothing in the clone has given a value,
/// although the program has.
struct Unset {
  const clang::FunctionDecl *function = nullptr;
  const clang::Stmt *statement = nullptr; ///< in whose place pre-execution can end
  const clang::VarDecl *variable = nullptr;
};

/// A check of the slice that depends on none of the analyses that made it: on Clang's own control
/// flow graph, as Clang looks for variables that are used uninitialised. On each way to a kept
/// read, what gives the variable a value in the program is compared with what is kept of that:
///  - it is given one on some way in the program, and on none in the clone;
///  - or it is assigned to on every way in the program, and on some way the clone does not even
///    name it.
/// `ending`: calls that do not return.
std::vector<Unset> findUnset(const Slice &slice, const std::set<const clang::CallExpr *> &ending);

} // namespace forerun::slicer

#endif
