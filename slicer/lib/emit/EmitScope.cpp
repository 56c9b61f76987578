// SPDX-License-Identifier: Apache-2.0
#include "emit/EmitScope.h"

#include "emit/Prologue.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

namespace forerun::slicer {

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

std::optional<std::string> EmitScope::twinOf(const std::string &called) {
  for (const auto *each : ast.getTranslationUnitDecl()->lookup(&ast.Idents.get(called)))
    if (const auto *known = llvm::dyn_cast<clang::FunctionDecl>(each))
      return twinOf(known);
  return std::nullopt;
}

std::optional<std::string> EmitScope::twinOf(const clang::ValueDecl *original) {
  const auto *callee = llvm::dyn_cast<clang::FunctionDecl>(original);
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(original);
  const bool isOfLibrary =
      (callee && !callee->hasBody()) ||
      (variable && variable->hasExternalFormalLinkage() && !variable->hasDefinition());
  if (!isOfLibrary || slice.twins.count(original->getNameAsString()) == 0)
    return std::nullopt;
  const std::string name = original->getNameAsString();
  usedTwins.insert(name);
  return (callee ? kTwin + name + "()" : "(*" + kTwin + name + "())");
}

std::string EmitScope::standIn(const std::string &name, const clang::ValueDecl *original) {
  usedStandIns.try_emplace(name, original);
  return name;
}

std::string EmitScope::endsAt(const clang::Stmt &stmt) const {
  const auto place = sources.getPresumedLoc(sources.getExpansionLoc(stmt.getBeginLoc()));
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::printEscapedString(llvm::sys::path::filename(place.getFilename()), out);
  return "forerun_pre_end(\"it reached line " + std::to_string(place.getLine()) + " of " + text +
         ", where it cannot go on\")";
}

} // namespace forerun::slicer
