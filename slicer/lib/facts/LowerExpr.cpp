// SPDX-License-Identifier: Apache-2.0
#include "facts/LowerExpr.h"

#include "input/Contains.h"
#include "input/StmtKinds.h"

#include <algorithm>

namespace forerun::slicer {

using namespace clang;

namespace {

bool isBytePointer(QualType type) {
  const QualType to = type->getPointeeType();
  return !to.isNull() && (to->isVoidType() || to->isCharType());
}

} // namespace

void LowerExpr::use(const Place &place) {
  if (place.object != kNone)
    state_.meet(place.object);
  if (place.object != kNone || place.pointer != kNone)
    state_.program.groups[group_].uses.push_back({place, group_});
}

void LowerExpr::use(const Place &place, bool isCopied) {
  if (!isCopied) {
    use(place);
    return;
  }
  if (place.object != kNone)
    state_.meet(place.object);
  state_.program.groups[group_].copied.push_back(place);
}

void LowerExpr::define(const Place &place, CallId call, int argument) {
  state_.define(node_, {place, group_, call, argument});
}

void LowerExpr::names(const VarDecl *variable) {
  state_.program.groups[group_].names.push_back(variable->getCanonicalDecl());
}

/// Notes variables that are named but not evaluated: sizeof *p.
void LowerExpr::namesIn(const Stmt *stmt) {
  if (const auto *name = dyn_cast<DeclRefExpr>(stmt))
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      names(variable);
  for (const Stmt *part : stmt->children())
    if (part)
      namesIn(part);
}

Guard LowerExpr::guard(const Expr *condition, std::initializer_list<const Expr *> parts) {
  const bool mayGuard = std::any_of(parts.begin(), parts.end(), contains<CallExpr>) &&
                        !condition->HasSideEffects(*state_.context);
  if (!mayGuard) {
    value(condition);
    return {};
  }
  const GroupId made = inGroup({}, [&] { value(condition); });
  state_.program.groups[group_].guards.push_back(made);
  return {condition, true, made};
}

/// Strips parentheses, and replaces a choice by type or constant with what is chosen. As
/// IgnoreParens, but notes what else the text names.
const Expr *LowerExpr::plain(const Expr *expr) {
  for (;;) {
    const Expr *chosen = nullptr;
    if (const auto *choice = dyn_cast<GenericSelectionExpr>(expr))
      chosen = choice->getResultExpr();
    else if (const auto *either = dyn_cast<ChooseExpr>(expr))
      chosen = either->getChosenSubExpr();
    if (chosen) {
      for (const Stmt *part : expr->children())
        if (part && part != chosen)
          namesIn(part);
      expr = chosen;
    } else if (const auto *parens = dyn_cast<ParenExpr>(expr)) {
      expr = parens->getSubExpr();
    } else if (const auto *op = dyn_cast<UnaryOperator>(expr);
               op && op->getOpcode() == UO_Extension) {
      expr = op->getSubExpr();
    } else {
      return expr;
    }
  }
}

void LowerExpr::statement(const Expr *expr) {
  unused_ = plain(expr);
  if (const auto *cast = dyn_cast<CStyleCastExpr>(unused_); cast && cast->getType()->isVoidType())
    unused_ = cast->getSubExpr()->IgnoreParens();
  if (unused_->getType()->isRecordType())
    record(unused_, true);
  else
    value(unused_);
}

Var LowerExpr::value(const Expr *expr) {
  expr = plain(expr);
  if (expr->getType()->isRecordType() && !isa<InitListExpr>(expr))
    return record(expr, false);
  if (const auto *cast = dyn_cast<CastExpr>(expr))
    return castValue(cast);
  if (const auto *op = dyn_cast<UnaryOperator>(expr))
    return unaryValue(op);
  if (const auto *op = dyn_cast<BinaryOperator>(expr))
    return binaryValue(op);
  if (const auto *choice = dyn_cast<BinaryConditionalOperator>(expr)) { // one ?: other
    conditional();
    const Var one = value(choice->getCommon());
    const Branch branch(*this);
    return state_.join(one, value(choice->getFalseExpr()));
  }
  if (const auto *choice = dyn_cast<ConditionalOperator>(expr)) {
    conditional();
    const Guard decides = guard(choice->getCond(), {choice->getTrueExpr(), choice->getFalseExpr()});
    const auto branch = [&](const Expr *part, bool holds) {
      const Branch entered(*this, decides, holds);
      return value(part);
    };
    const Var yes = branch(choice->getTrueExpr(), true);
    return state_.join(yes, branch(choice->getFalseExpr(), false));
  }
  if (const auto *opaque = dyn_cast<OpaqueValueExpr>(expr))
    return opaque->getSourceExpr() ? value(opaque->getSourceExpr()) : kNone;
  if (const auto *name = dyn_cast<DeclRefExpr>(expr)) {
    if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
      return state_.addressOf(state_.objectOf(function), 0);
    if (isa<VarDecl>(name->getDecl()))
      return state_.contentOf(place(expr));
    return kNone;
  }
  if (const auto *callExpr = dyn_cast<CallExpr>(expr))
    return state_.program.calls[call(callExpr)].result;
  if (const auto *arg = dyn_cast<VAArgExpr>(expr))
    return vaArgValue(arg);
  if (const auto *body = dyn_cast<StmtExpr>(expr))
    return bodyValue(body->getSubStmt());
  if (const auto *atomic = dyn_cast<AtomicExpr>(expr)) {
    Place changed;
    changed.pointer = value(atomic->getPtr());
    changed.inArray = true;
    use(changed);
    define(changed);
    parts(atomic);
    givenByAddress(*atomic);
    return state_.contentOf(changed);
  }
  if (expr->isGLValue())
    return state_.addressOf(place(expr));
  if (const auto *sized = dyn_cast<UnaryExprOrTypeTraitExpr>(expr)) {
    if (!sized->isArgumentType())
      namesIn(sized->getArgumentExpr());
    return kNone;
  }
  parts(expr);
  return kNone;
}

/// What the generic forms compare with, store, or leave the old value in.
void LowerExpr::givenByAddress(const AtomicExpr &atomic) {
  const auto given = [&](const Expr *address) {
    Place place;
    place.pointer = value(address);
    place.inArray = true;
    use(place);
    define(place);
  };
  switch (atomic.getOp()) {
  case AtomicExpr::AO__atomic_exchange:
    given(atomic.getVal2());
    [[fallthrough]];
  case AtomicExpr::AO__atomic_load:
  case AtomicExpr::AO__atomic_store:
    return given(atomic.getVal1());
  case AtomicExpr::AO__atomic_compare_exchange:
    given(atomic.getVal2());
    [[fallthrough]];
  default:
    if (atomic.isCmpXChg())
      given(atomic.getVal1());
  }
}

void LowerExpr::parts(const Stmt *stmt) {
  for (const Stmt *part : stmt->children())
    if (const auto *expr = dyn_cast_or_null<Expr>(part))
      value(expr);
}

/// Whether values of this type may be addresses.
bool LowerExpr::mayPoint(QualType type) const {
  return type->isAnyPointerType() || (state_.integersMayPoint && type->isIntegerType() &&
                                      state_.context->getTypeSize(type) >=
                                          state_.context->getTypeSize(state_.context->VoidPtrTy));
}

Var LowerExpr::castValue(const CastExpr *cast) {
  const Expr *sub = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case CK_LValueToRValue: {
    const Place from = place(sub);
    use(from);
    return mayPoint(cast->getType()) ? state_.contentOf(from) : kNone;
  }
  case CK_IntegralToPointer: { // after any arithmetic
    const Var anywhere = state_.temporary();
    state_.copy(anywhere, value(sub), 0, true);
    return anywhere;
  }
  case CK_ArrayToPointerDecay:
    return state_.addressOf(place(sub));
  case CK_BitCast: {
    const Var from = value(sub);
    const auto *sum = dyn_cast<BinaryOperator>(sub->IgnoreParens());
    if (!sum || !sum->isAdditiveOp() || !isBytePointer(sub->getType()) ||
        isBytePointer(cast->getType()))
      return from;
    // (struct header *)(bytes + 12): the position in the object is unknown.
    const Var anywhere = state_.temporary();
    state_.copy(anywhere, from, 0, true);
    return anywhere;
  }
  default:
    return value(sub);
  }
}

Var LowerExpr::unaryValue(const UnaryOperator *op) {
  const Expr *sub = op->getSubExpr();
  switch (op->getOpcode()) {
  case UO_AddrOf:
    if (sub->getType()->isFunctionType())
      return value(sub);
    return state_.addressOf(place(sub));
  case UO_Deref:
    if (op->getType()->isFunctionType())
      return value(sub);
    return state_.addressOf(place(op));
  case UO_PostInc:
  case UO_PostDec:
  case UO_PreInc:
  case UO_PreDec: {
    const Place changed = place(sub);
    use(changed);
    define(changed);
    return state_.contentOf(changed);
  }
  default:
    return value(sub);
  }
}

Var LowerExpr::binaryValue(const BinaryOperator *op) {
  const Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->getOpcode() == BO_Comma) {
    ordered();
    const Expr *outer = unused_;
    unused_ = left->IgnoreParens();
    value(left);
    unused_ = outer == op ? right->IgnoreParens() : nullptr;
    return value(right);
  }
  if (op->isAssignmentOp()) {
    if (op->isCompoundAssignmentOp()) {
      const Place changed = place(left);
      use(changed);
      value(right);
      define(changed);
      return state_.contentOf(changed);
    }
    const Place to = place(left);
    assign(to, right, false);
    return state_.contentOf(to);
  }
  if (op->isLogicalOp()) {
    conditional();
    const Branch branch(*this, guard(left, {right}), op->getOpcode() == BO_LAnd);
    value(right);
    return kNone;
  }
  const Var one = value(left), other = value(right);
  return mayPoint(op->getType()) && op->getOpcode() != BO_Rem && !op->isComparisonOp()
             ? state_.join(one, other)
             : kNone;
}

/// A va_list is an array where it is declared, and a pointer to it where it is a parameter.
Place LowerExpr::argumentList(const Expr *list) {
  if (!list->getType()->isPointerType())
    return place(list);
  Place result;
  result.pointer = value(list);
  return result;
}

/// The variadic arguments are one object, to which va_start made the list point.
Var LowerExpr::vaArgValue(const VAArgExpr *arg) {
  const Place list = argumentList(arg->getSubExpr());
  use(list);
  define(list);
  Place rest;
  rest.pointer = state_.contentOf(list);
  use(rest);
  return arg->getType()->isRecordType() ? rest.pointer : state_.contentOf(rest);
}

/// ({ ... }): all its statements belong to the expression.
Var LowerExpr::bodyValue(const CompoundStmt *body) {
  conditional();
  const Branch branch(*this);
  state_.program.groups[group_].blocks.push_back(body);
  Var last = kNone;
  const auto visit = [&](const auto &self, const Stmt *stmt) -> void {
    if (!stmt)
      return;
    if (const auto *expr = dyn_cast<Expr>(stmt)) {
      last = value(expr);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(stmt)) {
      for (const Decl *each : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(each); variable && variable->getInit())
          initialise(variable);
    } else {
      if (!isKnownKind(stmt))
        state_.program.unknownStatements.push_back({stmt, function_});
      for (const Stmt *child : stmt->children())
        self(self, child);
    }
  };
  visit(visit, body);
  return last;
}

} // namespace forerun::slicer
