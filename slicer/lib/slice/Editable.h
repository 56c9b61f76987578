// SPDX-License-Identifier: Apache-2.0
#ifndef FORERUN_SLICER_EDITABLE_H
#define FORERUN_SLICER_EDITABLE_H

#include "input/Traversal.h"

#include <set>

namespace clang {
class ASTContext;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace forerun::slicer {

/// Statements of a function around or after which text can be inserted.
class Editable : public Traversal {
public:
  explicit Editable(const clang::FunctionDecl &function);

  /// Children of blocks, and assignments that are branches, that do not come from macros; ifs and
  /// loops; expressions.
  std::set<const clang::Stmt *> places, conditional, expressions;

private:
  bool enterStmt(clang::Stmt &node) override;

  const clang::ASTContext &ast_;
  const clang::SourceManager &sources_;
};

} // namespace forerun::slicer

#endif
