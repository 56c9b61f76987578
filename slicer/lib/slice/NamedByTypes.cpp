// SPDX-License-Identifier: Apache-2.0
#include "slice/NamedByTypes.h"

#include "input/Traversal.h"

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
  std::vector<const clang::VarDecl *> open(slice.locals.begin(), slice.locals.end());
  for (const clang::FunctionDecl *each : slice.clones) {
    Types types;
    types.traverse(each->getBody());
    for (const clang::VarDecl *named : types.named.found)
      if (slice.locals.insert(named).second)
        open.push_back(named);
  }
  while (!open.empty()) { // their own types may name others
    const auto *type = open.back()->getTypeSourceInfo();
    open.pop_back();
    Named named;
    if (type)
      named.traverse(type->getTypeLoc());
    for (const clang::VarDecl *each : named.found)
      if (slice.locals.insert(each).second)
        open.push_back(each);
  }
}

} // namespace forerun::slicer
