// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/Traversal.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <vector>

namespace forerun::slicer {

/// All calls that a unit can make, each with the function that makes it.
class AllCalls : public Traversal {
public:
  struct Found {
    const clang::CallExpr *call;
    const clang::FunctionDecl *function;
  };

  std::vector<Found> found;

private:
  void enterDecl(clang::Decl &declaration) override {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      function_ = function;
  }
  bool enterStmt(clang::Stmt &node) override {
    // The operand of sizeof is not evaluated: assert() has its argument a second time in a sizeof.
    if (const auto *sized = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&node);
        sized && !sized->getTypeOfArgument()->isVariablyModifiedType())
      return false;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&node))
      found.push_back({call, function_});
    return true;
  }

  /// Nor is that of typeof, unless its type has a computed size.
  bool enterTypeof() override { return false; }

  const clang::FunctionDecl *function_ = nullptr;
};

} // namespace forerun::slicer
