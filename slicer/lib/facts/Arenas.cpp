// SPDX-License-Identifier: Apache-2.0
#include "facts/Arenas.h"

#include "input/Traversal.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

using namespace clang;

namespace {

/// The member or global that the expression is; otherwise null.
const ValueDecl *placeOf(const Expr *expr) {
  const Expr *plain = expr->IgnoreParenCasts();
  if (const auto *member = dyn_cast<MemberExpr>(plain))
    return member->getMemberDecl();
  const auto *name = dyn_cast<DeclRefExpr>(plain);
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable && variable->hasGlobalStorage() ? variable->getCanonicalDecl() : nullptr;
}

bool isOfBytes(const ValueDecl *place) {
  const QualType type = place->getType();
  if (!type->isPointerType() && !type->isArrayType())
    return false;
  const QualType element = type->isPointerType()
                               ? type->getPointeeType()
                               : QualType(type->getArrayElementTypeNoTypeQual(), 0);
  return element->isVoidType() || element->isAnyCharacterType();
}

/// The member or global of bytes that `value` is, or that it points into.
const ValueDecl *baseOf(const Expr *value) {
  const Expr *plain = value->IgnoreParenCasts();
  if (const auto *sum = dyn_cast<BinaryOperator>(plain); sum && sum->getOpcode() == BO_Add)
    plain = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
  else if (const auto *address = dyn_cast<UnaryOperator>(plain);
           address && address->getOpcode() == UO_AddrOf)
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(address->getSubExpr()->IgnoreParens()))
      plain = element->getBase();
  const ValueDecl *place = placeOf(plain);
  return place && isOfBytes(place) ? place : nullptr;
}

/// What one function does with members and globals.
class Places : public Traversal {
public:
  explicit Places(const FunctionDecl &function) {
    for (const ParmVarDecl *each : function.parameters())
      if (each->getType()->isIntegerType())
        sized_.insert(each);
    if (sized_.empty())
      return;
    traverse(function.getBody());
  }

  std::set<const ValueDecl *> moved;

private:
  bool enterStmt(Stmt &node) override {
    const auto *op = dyn_cast<BinaryOperator>(&node);
    if (!op || !op->isAssignmentOp() || !dependsOnSize(op->getRHS()))
      return true;
    if (const ValueDecl *place = placeOf(op->getLHS())) {
      if (place->getType()->isIntegerType() || !isa<CallExpr>(op->getRHS()->IgnoreParenCasts()))
        moved.insert(place); // last = malloc(n) moves nothing
    } else if (const auto *name = dyn_cast<DeclRefExpr>(op->getLHS()->IgnoreParenCasts()))
      sized_.insert(name->getDecl());
    return true;
  }
  void enterDecl(Decl &node) override {
    if (const auto *variable = dyn_cast<VarDecl>(&node);
        variable && variable->getInit() && dependsOnSize(variable->getInit()))
      sized_.insert(variable);
  }
  bool dependsOnSize(const Stmt *stmt) const {
    if (!stmt)
      return false;
    if (const auto *name = dyn_cast<DeclRefExpr>(stmt); name && sized_.count(name->getDecl()) > 0)
      return true;
    return std::any_of(stmt->child_begin(), stmt->child_end(),
                       [this](const Stmt *each) { return dependsOnSize(each); });
  }

  std::set<const ValueDecl *> sized_; ///< what depends on an integer that the function is given
};

/// Members and globals of bytes that a function uses otherwise than to set, compare or free them.
class Users : public Traversal {
public:
  explicit Users(const FunctionDecl &function) {
    traverse(function.getBody());
    for (const auto &[expr, place] : met_)
      if (allowed_.count(expr) == 0)
        found.insert(place);
  }

  std::set<const ValueDecl *> found;

private:
  bool enterStmt(Stmt &node) override {
    if (const auto *expr = dyn_cast<Expr>(&node); expr && isa<MemberExpr, DeclRefExpr>(expr))
      if (const ValueDecl *place = placeOf(expr); place && isOfBytes(place))
        met_.emplace_back(expr, place);
    if (const auto *op = dyn_cast<BinaryOperator>(&node)) {
      if (op->isComparisonOp() || op->isLogicalOp())
        allow(op->getLHS()), allow(op->getRHS());
      else if (op->getOpcode() == BO_Assign)
        allow(op->getLHS());
    } else if (const auto *negation = dyn_cast<UnaryOperator>(&node);
               negation && negation->getOpcode() == UO_LNot) {
      allow(negation->getSubExpr());
    } else if (const auto *choice = dyn_cast<IfStmt>(&node)) {
      allow(choice->getCond());
    } else if (const auto *call = dyn_cast<CallExpr>(&node)) {
      const FunctionDecl *callee = call->getDirectCallee();
      if (callee && callee->getIdentifier() && callee->getName() == "free" &&
          call->getNumArgs() == 1)
        allow(call->getArg(0));
    }
    return true;
  }
  void allow(const Expr *expr) { allowed_.insert(expr->IgnoreParenCasts()); }

  std::vector<std::pair<const Expr *, const ValueDecl *>> met_;
  std::set<const Expr *> allowed_;
};

} // namespace

Arenas::Arenas(const Functions &definitions) {
  for (const FunctionDecl *each : definitions) {
    for (const ValueDecl *place : Users(*each).found)
      users_[place].insert(each);
    if (const QualType type = each->getReturnType();
        type->isVoidPointerType() ||
        (type->isPointerType() && type->getPointeeType()->isAnyCharacterType()))
      moved_[each] = Places(*each).moved;
  }
}

bool Arenas::gives(const FunctionDecl *function, const Expr *value) const {
  const auto moved = moved_.find(function);
  const ValueDecl *base = baseOf(value);
  if (!base || moved == moved_.end() || moved->second.empty())
    return false;
  const bool isBaseItself = placeOf(value) == base;
  const auto users = users_.find(base);
  return (!isBaseItself || moved->second.count(base) > 0) &&
         (users == users_.end() ||
          std::all_of(users->second.begin(), users->second.end(),
                      [&](const FunctionDecl *each) { return each == function; }));
}

} // namespace forerun::slicer
