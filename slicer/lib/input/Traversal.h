// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>

namespace forerun::slicer {

/// Clang's walk over a tree, parents before children, as a base class with two virtual functions.
/// Clang's own RecursiveASTVisitor is a template that costs the compiler half a minute for each
/// class derived from it: here it is instantiated once, in Traversal.cpp, and nowhere else.
class Traversal {
public:
  virtual ~Traversal() = default;

  void traverse(const clang::Decl *root);
  void traverse(const clang::Stmt *root); ///< null: there is nothing to traverse
  /// The expressions in a type as it is written: sizes of arrays, typeof.
  void traverse(clang::TypeLoc root);
  /// A whole unit.
  void traverse(clang::ASTContext &unit);

protected:
  /// Called for each statement or expression; false: its children are skipped.
  virtual bool enterStmt(clang::Stmt &) { return true; }
  /// Called for each `typeof` of an expression; false: that is skipped.
  virtual bool enterTypeof() { return true; }
  /// Called for each declaration.
  virtual void enterDecl(clang::Decl &) {}

private:
  class Walker;
};

} // namespace forerun::slicer
