// SPDX-License-Identifier: Apache-2.0
#include "facts/Allocators.h"

#include "facts/Arenas.h"
#include "input/Traversal.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

using clang::dyn_cast;

namespace {

using Allocators = std::set<const clang::FunctionDecl *>;

/// What one function does with its local variables.
class Uses : public Traversal {
public:
  Uses(const clang::FunctionDecl &function, const Models &models,
       const FindDefinition &definitionOf, const Allocators &known, const Arenas &arenas)
      : function_(function), models_(models), definitionOf_(definitionOf), known_(known),
        arenas_(arenas) {
    traverse(function.getBody());
  }

  /// Whether each value that it returns is new memory, or null.
  bool giveNewMemory() const {
    const auto isNew = [this](const clang::Expr *value) {
      const clang::VarDecl *local = localOf(value);
      return local ? isNewAlone(local) : mayBeNew(value);
    };
    return !returned_.empty() && std::all_of(returned_.begin(), returned_.end(), isNew);
  }

private:
  bool enterStmt(clang::Stmt &node) override {
    if (const auto *name = dyn_cast<clang::DeclRefExpr>(&node))
      named_.push_back(name);
    else if (const auto *value = dyn_cast<clang::ReturnStmt>(&node); value && value->getRetValue())
      allow(value->getRetValue()), returned_.push_back(value->getRetValue());
    else if (const auto *binary = dyn_cast<clang::BinaryOperator>(&node))
      enterBinary(binary);
    else if (const auto *unary = dyn_cast<clang::UnaryOperator>(&node);
             unary && unary->getOpcode() == clang::UO_LNot)
      allow(unary->getSubExpr());
    else if (const auto *choice = dyn_cast<clang::IfStmt>(&node))
      allow(choice->getCond()), enterCall(choice->getThen()), enterCall(choice->getElse());
    else if (const auto *block = dyn_cast<clang::CompoundStmt>(&node))
      for (const clang::Stmt *each : block->body())
        enterCall(each);
    return true;
  }

  void enterDecl(clang::Decl &node) override {
    if (const auto *variable = dyn_cast<clang::VarDecl>(&node); variable && variable->getInit())
      given_.emplace_back(variable, variable->getInit());
  }

  void enterBinary(const clang::BinaryOperator *binary) {
    if (binary->isComparisonOp()) {
      allow(binary->getLHS());
      allow(binary->getRHS());
    } else if (const clang::VarDecl *local = localOf(binary->getLHS());
               local && binary->getOpcode() == clang::BO_Assign) {
      allow(binary->getLHS());
      given_.emplace_back(local, binary->getRHS());
    }
  }

  /// A call whose result is not used, of a function that keeps and moves no pointers.
  void enterCall(const clang::Stmt *stmt) {
    const auto *expr = dyn_cast_or_null<clang::Expr>(stmt);
    const auto *call = expr ? dyn_cast<clang::CallExpr>(expr->IgnoreParenCasts()) : nullptr;
    const auto *model = call && call->getDirectCallee()
                            ? models_.find(call->getDirectCallee()->getNameAsString())
                            : nullptr;
    if (model && model->kind == FunctionModel::Kind::Pure && model->stores.empty() &&
        model->copies.empty() && !definitionOf_(call->getDirectCallee()))
      for (const clang::Expr *each : call->arguments())
        allow(each);
  }

  void allow(const clang::Expr *expr) { allowed_.insert(expr->IgnoreParenCasts()); }

  static const clang::VarDecl *localOf(const clang::Expr *expr) {
    const auto *name = dyn_cast<clang::DeclRefExpr>(expr->IgnoreParenCasts());
    const auto *variable = name ? dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() && !clang::isa<clang::ParmVarDecl>(variable)
               ? variable
               : nullptr;
  }

  bool isNewAlone(const clang::VarDecl *local) const {
    return std::all_of(
               given_.begin(), given_.end(),
               [&](const auto &each) { return each.first != local || mayBeNew(each.second); }) &&
           std::all_of(named_.begin(), named_.end(), [&](const clang::DeclRefExpr *each) {
             return each->getDecl() != local || allowed_.count(each) > 0;
           });
  }

  /// Null, a piece of an arena, or the result of malloc or of such a function.
  bool mayBeNew(const clang::Expr *value) const {
    if (arenas_.gives(&function_, value))
      return true;
    const clang::Expr *plain = value->IgnoreParenCasts();
    if (const auto *number = dyn_cast<clang::IntegerLiteral>(plain))
      return number->getValue() == 0;
    const auto *call = dyn_cast<clang::CallExpr>(plain);
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (!callee)
      return false;
    if (const auto *definition = definitionOf_(callee))
      return known_.count(definition) > 0;
    const FunctionModel *model = models_.find(callee->getNameAsString());
    return model && model->allocates == std::vector<int>{kResult} && !model->returns &&
           model->within.empty() && model->copies.empty() && model->stores.empty() &&
           callee->getReturnType()->isVoidPointerType();
  }

  const clang::FunctionDecl &function_;
  const Models &models_;
  const FindDefinition &definitionOf_;
  const Allocators &known_;
  const Arenas &arenas_;
  std::vector<const clang::DeclRefExpr *> named_;
  std::set<const clang::Expr *> allowed_; ///< names in places that do nothing with the pointer
  std::vector<std::pair<const clang::VarDecl *, const clang::Expr *>> given_;
  std::vector<const clang::Expr *> returned_;
};

} // namespace

Allocators allocatorsAmong(const Allocators &definitions, const Models &models,
                           const FindDefinition &definitionOf) {
  const Arenas arenas(definitions);
  Allocators result;
  for (bool changed = true; changed;) {
    changed = false;
    for (const clang::FunctionDecl *each : definitions) {
      if (!each->getReturnType()->isPointerType() || result.count(each) > 0)
        continue;
      if (Uses(*each, models, definitionOf, result, arenas).giveNewMemory())
        changed = result.insert(each).second;
    }
  }
  return result;
}

} // namespace forerun::slicer
