// SPDX-License-Identifier: Apache-2.0
#include "emit/EmitScope.h"

namespace forerun::slicer {

void EmitNames::Set::add(const clang::NamedDecl *declaration) {
  if (declaration->isExternallyVisible())
    external.insert(declaration->getName());
  else
    internal.insert(declaration->getCanonicalDecl());
}

bool EmitNames::Set::has(const clang::NamedDecl *declaration) const {
  if (!declaration->getIdentifier())
    return false;
  return declaration->isExternallyVisible() ? external.contains(declaration->getName())
                                            : internal.count(declaration->getCanonicalDecl()) > 0;
}

EmitNames::EmitNames(const Slice &slice) {
  for (const auto *function : slice.clones)
    twins_.add(function);
  for (const auto *variable : slice.privates)
    twins_.add(variable);
  for (const auto *function : slice.asked)
    asked_.add(function);
}

bool EmitNames::hasClone(const clang::FunctionDecl *function) const { return twins_.has(function); }

/// A static local needs no copy: the clone has one of its own.
bool EmitNames::isPrivate(const clang::VarDecl *variable) const {
  return variable->hasGlobalStorage() && !variable->isStaticLocal() && twins_.has(variable);
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
