// SPDX-License-Identifier: Apache-2.0
#include "facts/Operands.h"

#include "input/Contains.h"
#include "input/Traversal.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <set>

namespace forerun::slicer {

using namespace clang;

namespace {

using Variables = std::set<const VarDecl *>;

const VarDecl *variableIn(const Expr *expr) {
  const auto *name = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
  const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

bool names(const Stmt *stmt, const VarDecl *variable) {
  if (!stmt)
    return false;
  if (const auto *expr = dyn_cast<Expr>(stmt); expr && variableIn(expr) == variable)
    return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt *each) { return names(each, variable); });
}

/// Variables that a loop changes by a rule: i++, i += 2, p = p->next.
class Stepped : public Traversal {
public:
  explicit Stepped(const Stmt *loop) { traverse(loop); }
  Variables found;

private:
  bool enterStmt(Stmt &node) override {
    if (const auto *step = dyn_cast<UnaryOperator>(&node); step && step->isIncrementDecrementOp())
      add(step->getSubExpr());
    if (const auto *op = dyn_cast<BinaryOperator>(&node);
        op && op->isAssignmentOp() && !contains<CallExpr>(op->getRHS()))
      if (const VarDecl *variable = variableIn(op->getLHS());
          variable && (op->isCompoundAssignmentOp() || names(op->getRHS(), variable)))
        add(op->getLHS());
    return true;
  }
  void add(const Expr *expr) {
    if (const VarDecl *variable = variableIn(expr);
        variable && (variable->getType()->isIntegerType() || variable->getType()->isPointerType()))
      found.insert(variable);
  }
};

/// Whether the value of one of the variables is compared or computed with; not what it leads to, as
/// in table[i] or p->last.
bool computesWith(const Stmt *stmt, const Variables &variables) {
  if (!stmt || isa<CallExpr, ArraySubscriptExpr>(stmt))
    return false;
  if (const auto *member = dyn_cast<MemberExpr>(stmt); member && member->isArrow())
    return false;
  if (const auto *op = dyn_cast<UnaryOperator>(stmt); op && op->getOpcode() == UO_Deref)
    return false;
  if (const auto *expr = dyn_cast<Expr>(stmt); expr && variables.count(variableIn(expr)) > 0)
    return true;
  return std::any_of(stmt->child_begin(), stmt->child_end(),
                     [&](const Stmt *each) { return computesWith(each, variables); });
}

void split(const Expr *condition, BinaryOperatorKind by, std::vector<Operand> &to) {
  condition = condition->IgnoreParens();
  const auto *op = dyn_cast<BinaryOperator>(condition);
  if (op && op->getOpcode() == by) {
    split(op->getLHS(), by, to);
    split(op->getRHS(), by, to);
  } else {
    to.push_back({condition, false});
  }
}

} // namespace

Operands operandsOf(const Stmt *stmt, const Expr *condition) {
  const auto *top = condition ? dyn_cast<BinaryOperator>(condition->IgnoreParens()) : nullptr;
  if (!top || !top->isLogicalOp())
    return {};
  Operands result;
  result.isAnd = top->getOpcode() == BO_LAnd;
  split(top, top->getOpcode(), result.all);
  if (isa<IfStmt>(stmt)) {
    const bool calls =
        std::any_of(result.all.begin() + 1, result.all.end(),
                    [](const Operand &each) { return contains<CallExpr>(each.expr); });
    return calls ? result : Operands();
  }
  if (!result.isAnd)
    return {};
  const Variables stepped = Stepped(stmt).found;
  for (Operand &each : result.all)
    each.isExit = !computesWith(each.expr, stepped);
  const auto isExit = [](const Operand &each) { return each.isExit; };
  return std::all_of(result.all.begin(), result.all.end(), isExit) ||
                 std::none_of(result.all.begin(), result.all.end(), isExit)
             ? Operands()
             : result;
}

} // namespace forerun::slicer
