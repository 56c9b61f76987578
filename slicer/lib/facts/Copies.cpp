// SPDX-License-Identifier: Apache-2.0
#include "facts/Copies.h"

#include "input/Traversal.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <map>

namespace forerun::slicer {

using clang::dyn_cast;
using clang::isa;

namespace {

/// Statements and the expressions in them: a longer function costs more than it gives.
constexpr unsigned kMostParts = 256;

using Functions = std::set<const clang::FunctionDecl *>;

/// What one function has in it.
class Body : public Traversal {
public:
  Body(const Models &models, const Overrides &overrides, const FindDefinition &definitionOf)
      : models_(models), overrides_(overrides), definitionOf_(definitionOf) {}

  bool isPlain = true; ///< apart from what it calls
  unsigned parts = 0;
  std::multiset<const clang::FunctionDecl *> calls; ///< of functions of the program, by name

private:
  bool enterStmt(clang::Stmt &node) override {
    ++parts;
    isPlain &= !overrides_.forwarded.contains(&node) && &node != overrides_.launch &&
               !isa<clang::GotoStmt, clang::IndirectGotoStmt, clang::LabelStmt, clang::StmtExpr,
                    clang::AsmStmt>(node);
    if (isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node))
      Jumps(*this).traverse(&node);
    if (const auto *block = dyn_cast<clang::CompoundStmt>(&node))
      for (const clang::Stmt *each : block->body())
        unused_.insert(each);
    else if (const auto *choice = dyn_cast<clang::IfStmt>(&node))
      unused_.insert({choice->getThen(), choice->getElse()});
    else if (const auto *call = dyn_cast<clang::CallExpr>(&node))
      enterCall(*call);
    return true;
  }

  /// Jumps out of a loop.
  class Jumps : public Traversal {
  public:
    explicit Jumps(Body &of) : of_(of) {}

  private:
    bool enterStmt(clang::Stmt &node) override {
      of_.isPlain &= !isa<clang::ReturnStmt, clang::BreakStmt>(node);
      return true;
    }
    Body &of_;
  };

  void enterDecl(clang::Decl &node) override {
    if (const auto *variable = dyn_cast<clang::VarDecl>(&node))
      isPlain &= !variable->getType()->isVariablyModifiedType();
  }

  void enterCall(const clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    if (const auto *definition = callee != nullptr ? definitionOf_(callee) : nullptr) {
      calls.insert(definition);
      return;
    }
    const auto *model = callee != nullptr ? models_.find(callee->getNameAsString()) : nullptr;
    isPlain &= model != nullptr && hasNoSite(*model, unused_.contains(&call));
  }

  static bool hasNoSite(const FunctionModel &model, bool isUnused) {
    if (!model.callbacks.empty() || !model.state.empty() || model.stream())
      return model.kind == FunctionModel::Kind::Visible && isUnused && model.callbacks.empty();
    return model.kind == FunctionModel::Kind::Pure || model.kind == FunctionModel::Kind::NoReturn ||
           (model.kind == FunctionModel::Kind::StandIn && model.standIn != "forerun_pre_fopen") ||
           (model.kind == FunctionModel::Kind::Visible && isUnused);
  }

  const Models &models_;
  const Overrides &overrides_;
  const FindDefinition &definitionOf_;
  std::set<const clang::Stmt *> unused_; ///< the value of an expression here is not used
};

bool hasPointers(const clang::FunctionDecl &function) {
  return function.getReturnType()->isPointerType() ||
         std::ranges::any_of(function.parameters(), [](const clang::ParmVarDecl *each) {
           return each->getType()->isPointerType();
         });
}

} // namespace

Functions functionsToCopy(const Functions &definitions, const Models &models,
                          const Overrides &overrides, const FindDefinition &definitionOf) {
  std::map<const clang::FunctionDecl *, Body> bodies;
  std::map<const clang::FunctionDecl *, unsigned> callers;
  for (const clang::FunctionDecl *each : definitions) {
    Body &body = bodies.try_emplace(each, models, overrides, definitionOf).first->second;
    body.traverse(each->getBody());
    for (const clang::FunctionDecl *callee : body.calls)
      ++callers[callee];
  }
  // Callees first: so a function that leads to itself is never plain.
  Functions plain;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &[function, body] : bodies)
      if (body.isPlain && !function->isVariadic() && !function->isMain() &&
          std::ranges::all_of(body.calls, [&](const auto *each) { return plain.contains(each); }))
        changed |= plain.insert(function).second;
  }
  std::erase_if(plain, [&](const clang::FunctionDecl *each) {
    return bodies.at(each).parts > kMostParts || !hasPointers(*each);
  });
  // One that is called once has copies where its caller has.
  Functions result;
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::FunctionDecl *each : plain)
      if (callers[each] > 1 && result.insert(each).second) {
        changed = true;
        for (const clang::FunctionDecl *callee : bodies.at(each).calls)
          ++callers[callee];
      }
  }
  return result;
}

} // namespace forerun::slicer
