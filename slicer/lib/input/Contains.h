// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

/// Whether a part of the statement, or all of it, is of this class.
template <class Part> bool contains(const clang::Stmt *stmt) {
  return stmt && (clang::isa<Part>(stmt) ||
                  std::any_of(stmt->child_begin(), stmt->child_end(),
                              [](const clang::Stmt *each) { return contains<Part>(each); }));
}

} // namespace forerun::slicer
