// SPDX-License-Identifier: Apache-2.0
#include "slice/Waits.h"

#include "facts/IoCalls.h"
#include "models/Ids.h"
#include "slice/CallNeeds.h"

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

Waits waitsOf(const ClosureInput &input, const Kept &kept, const Kept *lean,
              const Repetition &repetition) {
  const Program &program = input.program;
  Waits result;
  for (const CallId id : ids(program.calls)) {
    const Call &call = program.calls[id];
    if (!kept.isCalled(id) || !call.callees.empty() || call.caller == 0 || call.isCallback)
      continue;
    const bool isNeeded = kept.needsAnyOutput(id) || kept.needsResult(id);
    const bool isInLean = !lean || lean->needsAnyOutput(id) || lean->needsResult(id);
    if (isForwarded(call))
      result.receives += isNeeded && !input.asksClock(id) && kept.exchanged().count(id) == 0 &&
                         repetition.isRepeated(id, isInLean);
    else if (kept.needsAnyOutput(id) && isRead(call) && repetition.isRepeated(id, isInLean)) {
      ++result.fetches;
      result.data += readsFloating(call);
    }
  }
  if (result.fetches == 0)
    return result;
  const std::set<NodeId> around = aroundCriteria(program, input.criteria);
  for (const NodeId id : ids(program.nodes)) {
    const Node &node = program.nodes[id];
    if (!node.stmt || node.kind != Node::Kind::Predicate || around.count(id) > 0 ||
        !clang::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(node.stmt))
      continue;
    const bool isLong = !isShort(*node.stmt, program.functions[node.function]);
    if (kept.isPresent(id) && repetition.isRepeatedAt(id, !lean || lean->isPresent(id))) {
      result.computing += result.data > 0 && takesFloating(node.stmt);
      result.loops += isLong;
    } else
      result.loopsLeftOut += isLong && repetition.isRepeatedAt(id);
  }
  return result;
}

} // namespace forerun::slicer
