// SPDX-License-Identifier: Apache-2.0
#include "emit/InlineCopies.h"

#include "input/Traversal.h"
#include <algorithm>

namespace forerun::slicer {

namespace {

class CallsIn : public Traversal {
public:
  explicit CallsIn(const clang::FunctionDecl *function) { traverse(function->getBody()); }

  std::vector<const clang::CallExpr *> found;

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&node))
      found.push_back(call);
    return true;
  }
};

std::string calleeName(const clang::CallExpr *call) {
  const auto *callee = call->getDirectCallee();
  return callee ? callee->getNameAsString() : "";
}

} // namespace

std::map<const clang::CallExpr *, const clang::CallExpr *> inlineCopies(EmitScope &scope) {
  std::map<llvm::StringRef, const clang::FunctionDecl *> analysed;
  for (const auto *function : scope.slice.clones)
    if (function->isInlined() && function->isExternallyVisible() &&
        &function->getASTContext() != &scope.ast)
      analysed.emplace(function->getName(), function);
  std::map<const clang::CallExpr *, const clang::CallExpr *> result;
  for (const auto *declared : scope.ast.getTranslationUnitDecl()->decls()) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declared);
    if (!function || !function->doesThisDeclarationHaveABody() || !function->isInlined() ||
        !function->isExternallyVisible())
      continue;
    const auto known = analysed.find(function->getName());
    if (known == analysed.end())
      continue;
    const CallsIn here(function), there(known->second);
    if (!std::equal(here.found.begin(), here.found.end(), there.found.begin(), there.found.end(),
                    [](const auto *a, const auto *b) { return calleeName(a) == calleeName(b); })) {
      for (const auto *call : there.found)
        if (scope.slice.plans.count(call) > 0)
          scope.fail(function->getLocation(), "another unit defines this function otherwise", call);
      continue;
    }
    for (std::size_t i = 0; i < here.found.size(); ++i)
      result.emplace(here.found[i], there.found[i]);
  }
  return result;
}

} // namespace forerun::slicer
