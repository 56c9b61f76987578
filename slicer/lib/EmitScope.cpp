// SPDX-License-Identifier: Apache-2.0
#include "EmitScope.h"

namespace forerun::slicer {

EmitNames::EmitNames(const Slice &slice) {
  auto add = [this](const clang::NamedDecl *declaration) {
    if (declaration->isExternallyVisible())
      external_.insert(declaration->getName());
    else
      internal_.insert(declaration->getCanonicalDecl());
  };
  for (const auto *function : slice.clones)
    add(function);
  for (const auto *variable : slice.privates)
    add(variable);
}

bool EmitNames::hasClone(const clang::FunctionDecl *function) const {
  if (!function->getIdentifier())
    return false;
  return function->isExternallyVisible() ? external_.contains(function->getName())
                                         : internal_.count(function->getCanonicalDecl()) > 0;
}

/// A static local needs no copy: the clone has its own.
bool EmitNames::isPrivate(const clang::VarDecl *variable) const {
  if (!variable->hasGlobalStorage() || variable->isStaticLocal() || !variable->getIdentifier())
    return false;
  return variable->isExternallyVisible() ? external_.contains(variable->getName())
                                         : internal_.count(variable->getCanonicalDecl()) > 0;
}

void EmitScope::fail(clang::SourceLocation where, const std::string &message,
                     const clang::CallExpr *call, bool wantsSite) {
  EmitProblem problem;
  problem.unit = &unit;
  problem.where = where;
  problem.message = message;
  problem.call = call;
  problem.wantsSite = wantsSite;
  problems_.push_back(std::move(problem));
}

} // namespace forerun::slicer
