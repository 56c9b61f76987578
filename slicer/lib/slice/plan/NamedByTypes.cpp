// SPDX-License-Identifier: Apache-2.0
#include "input/Traversal.h"
#include "models/Worklist.h"
#include "slice/plan/Planner.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace forerun::slicer {

namespace {

/// Local variables that are named below a declaration.
class Named : public Traversal {
public:
  std::vector<const clang::VarDecl *> found;

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(&node))
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
          variable && variable->isLocalVarDecl())
        found.push_back(variable->getCanonicalDecl());
    return true;
  }
};

/// All types that a function defines.
class Types : public Traversal {
public:
  Named named;

private:
  void enterDecl(clang::Decl &declaration) override {
    if (llvm::isa<clang::TagDecl, clang::TypedefNameDecl>(&declaration))
      named.traverse(&declaration);
  }
};

} // namespace

void declareWhatTypesName(Slice &slice) {
  Worklist<const clang::VarDecl *> open;
  open.addAll(slice.locals);
  for (const clang::FunctionDecl *each : slice.clones) {
    Types types;
    types.traverse(each->getBody());
    open.addAll(types.named.found);
  }
  while (const auto each = open.next()) { // their own types may name others
    Named named;
    if (const auto *type = (*each)->getTypeSourceInfo())
      named.traverse(type->getTypeLoc());
    open.addAll(named.found);
  }
  slice.locals = open.met();
}

} // namespace forerun::slicer
