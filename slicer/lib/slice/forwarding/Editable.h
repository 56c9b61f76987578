// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/Facts.h"
#include "input/Traversal.h"

namespace clang {
class ASTContext;
class SourceManager;
} // namespace clang

namespace forerun::slicer {

/// Statements of the program around or after which text can be inserted.
class Editable : public Traversal {
public:
  explicit Editable(const Program &program);

  /// Children of blocks, and assignments that are branches, that do not come from macros; ifs and
  /// loops; expressions.
  std::set<const clang::Stmt *> places, conditional, expressions;

private:
  bool enterStmt(clang::Stmt &node) override;

  const clang::ASTContext *ast_ = nullptr; ///< of the function that is being visited
  const clang::SourceManager *sources_ = nullptr;
};

} // namespace forerun::slicer
