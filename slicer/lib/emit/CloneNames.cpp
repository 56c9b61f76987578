// SPDX-License-Identifier: Apache-2.0
#include "emit/CloneNames.h"

#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/STLExtras.h>

namespace forerun::slicer {

void CloneNames::Set::add(const clang::NamedDecl *declaration) {
  if (declaration->isExternallyVisible())
    external.insert(declaration->getName());
  else
    internal.insert(declaration->getCanonicalDecl());
}

bool CloneNames::Set::has(const clang::NamedDecl *declaration) const {
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

CloneNames::CloneNames(const Slice &slice, const Units &units) {
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

bool CloneNames::hasClone(const clang::FunctionDecl *function) const {
  return twins_.has(function);
}

/// A static local needs no copy: the clone has its own.
bool CloneNames::isPrivate(const clang::VarDecl *variable) const {
  return variable->hasGlobalStorage() && !variable->isStaticLocal() && twins_.has(variable);
}

} // namespace forerun::slicer
