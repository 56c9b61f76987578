// SPDX-License-Identifier: Apache-2.0
#include "input/Traversal.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace forerun::slicer {

class Traversal::Walker : public clang::RecursiveASTVisitor<Walker> {
public:
  explicit Walker(Traversal &of) : of_(of) {}

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  bool VisitDecl(clang::Decl *declaration) {
    of_.enterDecl(*declaration);
    return true;
  }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc type) {
    return !of_.enterTypeof() ||
           clang::RecursiveASTVisitor<Walker>::TraverseTypeOfExprTypeLoc(type);
  }
  // Clang keeps a queue of what is below, so that a sum of ten thousand terms needs no deep stack.
  bool dataTraverseStmtPre(clang::Stmt *node) { return !node || of_.enterStmt(*node); }
  // NOLINTEND(readability-identifier-naming)

private:
  Traversal &of_;
};

// Clang's walk takes trees that are not const, but changes none.
void Traversal::traverse(const clang::Decl *root) {
  Walker(*this).TraverseDecl(const_cast<clang::Decl *>(root));
}
void Traversal::traverse(const clang::Stmt *root) {
  Walker(*this).TraverseStmt(const_cast<clang::Stmt *>(root));
}
void Traversal::traverse(clang::TypeLoc root) { Walker(*this).TraverseTypeLoc(root); }
void Traversal::traverse(clang::ASTContext &unit) { Walker(*this).TraverseAST(unit); }

} // namespace forerun::slicer
