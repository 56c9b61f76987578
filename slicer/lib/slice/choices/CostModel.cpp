// SPDX-License-Identifier: Apache-2.0
#include "slice/choices/CostModel.h"

#include "analysis/Walks.h"
#include "facts/IoCalls.h"
#include "models/Ids.h"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {

namespace {

/// Whether the call reads floating-point numbers: an index holds integers.
bool readsFloating(const Call &call) {
  const IoArguments *at = ioArguments(call.name);
  if (!isRead(call) || !at || at->buffer < 0 ||
      static_cast<unsigned>(at->buffer) >= call.expr->getNumArgs())
    return false;
  clang::QualType type =
      call.expr->getArg(static_cast<unsigned>(at->buffer))->IgnoreParenCasts()->getType();
  while (!type.isNull() && (type->isPointerType() || type->isArrayType()))
    type = type->isPointerType() ? type->getPointeeType()
                                 : clang::QualType(type->getArrayElementTypeNoTypeQual(), 0);
  return !type.isNull() && type->isFloatingType();
}

/// Whether the loop makes few turns, as one that decodes a number does.
bool isShort(const clang::Stmt &loop, const Function &function) {
  constexpr int kFew = 64;
  const auto *counted = clang::dyn_cast<clang::ForStmt>(&loop);
  const auto *condition =
      counted ? clang::dyn_cast_or_null<clang::BinaryOperator>(counted->getCond()) : nullptr;
  clang::Expr::EvalResult bound;
  return condition && condition->isRelationalOp() &&
         condition->getRHS()->EvaluateAsInt(bound, function.definition->getASTContext()) &&
         bound.Val.getInt() < kFew;
}

/// Whether an expression is in memory, and no variable's own.
bool isInMemory(const clang::Expr &place) {
  return !clang::isa<clang::DeclRefExpr>(place.IgnoreParens());
}

/// Whether the statement takes floating-point numbers from memory, itself or in a call to which it
/// gives a pointer. A loop that only fills memory does not compute with what was read.
bool takesFloating(const clang::Stmt *stmt) {
  if (!stmt)
    return false;
  const auto *cast = clang::dyn_cast<clang::CastExpr>(stmt);
  if (cast && cast->getCastKind() == clang::CK_LValueToRValue &&
      cast->getType()->isFloatingType() && isInMemory(*cast->getSubExpr()))
    return true;
  const auto *step = clang::dyn_cast<clang::CompoundAssignOperator>(stmt);
  if (step && step->getLHS()->getType()->isFloatingType() && isInMemory(*step->getLHS()))
    return true;
  if (const auto *call = clang::dyn_cast<clang::CallExpr>(stmt);
      call && llvm::any_of(call->arguments(), [](const clang::Expr *each) {
        return each->getType()->isPointerType();
      }))
    return true;
  return llvm::any_of(stmt->children(), takesFloating);
}

} // namespace

Cost costOf(const Closure &closure) {
  return CostModel(closure.input(), closure.leanCalls())
      .of(closure.kept(), closure.lean() ? &closure.lean()->kept() : nullptr);
}

Cost CostModel::of(const Kept &kept, const Kept *lean) const {
  Cost result = kept.cost();
  addCalls(kept, lean, result);
  addLoops(kept, lean, result);
  return result;
}

void CostModel::addCalls(const Kept &kept, const Kept *lean, Cost &cost) const {
  for (const CallId id : ids(input_.program.calls)) {
    const Call &call = input_.program.calls[id];
    if (!kept.isCalled(id) || !call.callees.empty() || call.caller == 0 || call.isCallback)
      continue;
    const auto isNeededIn = [&](const Kept &each) {
      return each.needsAnyOutput(id) || each.needsResult(id);
    };
    const bool isRepeated = repetition.isRepeated(id, !lean || isNeededIn(*lean));
    if (call.isForwarded())
      cost.waits +=
          isRepeated && isNeededIn(kept) && !input_.asksClock(id) && !kept.exchanged().contains(id);
    else if (isRepeated && kept.needsAnyOutput(id) && isRead(call)) {
      ++cost.fetches;
      cost.data += readsFloating(call);
    }
  }
}

void CostModel::addLoops(const Kept &kept, const Kept *lean, Cost &cost) const {
  const Program &program = input_.program;
  std::set<NodeId> aroundExchanged;
  for (const CallId each : kept.exchanged())
    for (NodeId node = program.nodeOf(each); node != kNone; node = program.nodes[node].enclosing)
      aroundExchanged.insert(node);
  for (const NodeId id : ids(program.nodes)) {
    const Node &node = program.nodes[id];
    if (!isLoop(node.stmt))
      continue;
    const bool isPresent = kept.isPresent(id);
    cost.loops += isPresent && !aroundExchanged.contains(id) && !processCounts_.bounds(node.stmt);
    if (cost.fetches == 0 || node.kind != Node::Kind::Predicate ||
        input_.criteria.around.contains(id))
      continue;
    const bool isLong = !isShort(*node.stmt, program.functions[node.function]);
    if (isPresent && repetition.isRepeatedAt(id, !lean || lean->isPresent(id))) {
      cost.computing += cost.data > 0 && takesFloating(node.stmt);
      cost.longLoops += isLong;
    } else
      cost.longLoopsLeftOut += isLong && repetition.isRepeatedAt(id);
  }
}

} // namespace forerun::slicer
