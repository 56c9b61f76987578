// SPDX-License-Identifier: Apache-2.0
#include "emit/EmitScope.h"

#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/STLExtras.h>

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

static bool isEndingOfAName(llvm::StringRef ending, const Units &units) {
  return llvm::any_of(units, [&](const Unit &unit) {
    return llvm::any_of(unit.ast->getPreprocessor().getIdentifierTable(),
                        [&](const auto &each) { return each.getKey().ends_with(ending); });
  });
}

EmitNames::EmitNames(const Slice &slice, const Units &units) {
  for (int number = 2; isEndingOfAName(ending_, units) || isEndingOfAName(ending_ + kLean, units);
       ++number)
    ending_ = "__pre" + std::to_string(number);
  for (const auto *function : slice.clones)
    twins_.add(function);
  for (const auto *variable : slice.privates)
    twins_.add(variable);
  for (const auto *function : slice.lean)
    lean_.add(function);
}

bool EmitNames::hasClone(const clang::FunctionDecl *function) const { return twins_.has(function); }

/// A static local needs no copy: the clone has its own.
bool EmitNames::isPrivate(const clang::VarDecl *variable) const {
  return variable->hasGlobalStorage() && !variable->isStaticLocal() && twins_.has(variable);
}

void EmitScope::addUsesOf(const EmitScope &other) {
  usedClones.insert(other.usedClones.begin(), other.usedClones.end());
  usedPrivates.insert(other.usedPrivates.begin(), other.usedPrivates.end());
  usedStandIns.insert(other.usedStandIns.begin(), other.usedStandIns.end());
  usedTwins.insert(other.usedTwins.begin(), other.usedTwins.end());
}

void EmitScope::fail(clang::SourceLocation where, const std::string &message,
                     const clang::CallExpr *call) {
  EmitProblem problem;
  problem.unit = &unit;
  problem.where = where;
  problem.message = message;
  problem.call = call ? analysed(call) : nullptr;
  problem.statement = statement;
  problem.function = function;
  problems_.push_back(std::move(problem));
}

void EmitScope::failTogether(const clang::CallExpr *call, const clang::CallExpr *with) {
  fail(call->getBeginLoc(), "a macro makes this call, which has no site, and others that have one",
       with);
  problems_.back().wanted = analysed(call);
}

} // namespace forerun::slicer
