// SPDX-License-Identifier: Apache-2.0
#include "facts/LowerExpr.h"

#include "input/StmtKinds.h"

#include <clang/AST/RecordLayout.h>

namespace forerun::slicer {

using namespace clang;

namespace {

bool isRecord(QualType type) { return type->isRecordType(); }

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

void LowerExpr::define(const Place &place, CallId call, int argument, bool fillsArray) {
  if (place.object != kNone)
    state_.meet(place.object);
  if (place.object != kNone || place.pointer != kNone)
    state_.program.nodes[node_].defs.push_back({place, group_, call, argument, fillsArray});
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

void LowerExpr::statement(const Expr *expr) {
  unused_ = expr->IgnoreParens();
  if (const auto *cast = dyn_cast<CStyleCastExpr>(unused_); cast && cast->getType()->isVoidType())
    unused_ = cast->getSubExpr()->IgnoreParens();
  if (isRecord(unused_->getType()))
    record(unused_, true);
  else
    value(unused_);
}

Var LowerExpr::value(const Expr *expr) {
  while (const auto *parens = dyn_cast<ParenExpr>(expr))
    expr = parens->getSubExpr();
  if (const auto *choice = dyn_cast<GenericSelectionExpr>(expr);
      choice && choice->isExprPredicate())
    namesIn(choice->getControllingExpr());
  expr = expr->IgnoreParens();
  if (isRecord(expr->getType()) && !isa<InitListExpr>(expr))
    return record(expr, false);
  if (const auto *cast = dyn_cast<CastExpr>(expr))
    return castValue(cast);
  if (const auto *op = dyn_cast<UnaryOperator>(expr))
    return unaryValue(op);
  if (const auto *op = dyn_cast<BinaryOperator>(expr))
    return binaryValue(op);
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expr)) {
    conditional();
    value(choice->getCond());
    const Branch branch(*this);
    const Var yes = value(choice->getTrueExpr());
    return state_.join(yes, value(choice->getFalseExpr()));
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

void LowerExpr::parts(const Stmt *stmt) {
  for (const Stmt *part : stmt->children())
    if (const auto *expr = dyn_cast_or_null<Expr>(part))
      value(expr);
}

Var LowerExpr::castValue(const CastExpr *cast) {
  const Expr *sub = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case CK_LValueToRValue: {
    const Place from = place(sub);
    use(from);
    return cast->getType()->isAnyPointerType() ? state_.contentOf(from) : kNone;
  }
  case CK_ArrayToPointerDecay:
    return state_.addressOf(place(sub));
  case CK_BitCast: {
    const Var from = value(sub);
    const auto *sum = dyn_cast<BinaryOperator>(sub->IgnoreParens());
    if (!sum || !sum->isAdditiveOp() || !isBytePointer(sub->getType()) ||
        isBytePointer(cast->getType()))
      return from;
    // (struct header *)(bytes + 12): where in the object is not known.
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
    value(left);
    const Branch branch(*this);
    value(right);
    return kNone;
  }
  const Var one = value(left), other = value(right);
  return op->isAdditiveOp() || op->isBitwiseOp() ? state_.join(one, other) : kNone;
}

void LowerExpr::assign(const Place &to, const Expr *expr, bool isCopied) {
  expr = expr->IgnoreParens();
  if (const auto *list = dyn_cast<InitListExpr>(expr)) {
    fill(to, list);
  } else if (isRecord(expr->getType())) {
    state_.copyRecord(to, record(expr, isCopied), state_.sizeOf(expr->getType()));
  } else if (!isa<StringLiteral>(expr)) { // char a[] = "...": no pointer in it
    state_.store(to, value(expr));
  }
  define(to);
}

void LowerExpr::fill(const Place &to, const InitListExpr *list) {
  if (const InitListExpr *semantic = list->getSemanticForm())
    list = semantic;
  const auto *record = list->getType()->getAs<RecordType>();
  const auto element = [&](const Expr *init, std::int64_t offset, std::int64_t size) {
    Place part = to;
    part.offset += offset;
    part.size = size;
    if (const auto *inner = dyn_cast<InitListExpr>(init))
      fill(part, inner);
    else if (isRecord(init->getType()))
      state_.copyRecord(part, this->record(init, false), size);
    else if (!isa<StringLiteral>(init->IgnoreParens()))
      state_.store(part, value(init));
  };
  if (!record) {
    for (const Expr *init : list->inits())
      if (init && !isa<ImplicitValueInitExpr>(init))
        element(init, 0, state_.sizeOf(init->getType()));
    return;
  }
  const auto &layout = state_.context->getASTRecordLayout(record->getDecl());
  if (record->isUnionType()) {
    if (list->getNumInits() > 0)
      element(list->getInit(0), 0, state_.sizeOf(list->getInit(0)->getType()));
    return;
  }
  unsigned next = 0;
  for (const FieldDecl *field : record->getDecl()->fields()) {
    if (field->isUnnamedBitField())
      continue;
    if (next >= list->getNumInits())
      break;
    if (const Expr *init = list->getInit(next++); init && !isa<ImplicitValueInitExpr>(init))
      element(init, static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex())),
              sizeOf(field));
  }
}

void LowerExpr::initialise(const VarDecl *variable) {
  Place whole;
  whole.object = state_.objectOf(variable, function_);
  whole.size = kEnd;
  assign(whole, variable->getInit(), true);
  sizes(variable->getType());
}

void LowerExpr::sizes(QualType type) {
  while (true) {
    if (const auto *array = state_.context->getAsVariableArrayType(type)) {
      if (array->getSizeExpr())
        value(array->getSizeExpr());
      type = array->getElementType();
    } else if (const auto *pointer = type->getAs<PointerType>()) {
      type = pointer->getPointeeType();
    } else {
      return;
    }
  }
}

std::int64_t LowerExpr::sizeOf(const FieldDecl *field) const {
  return field->isBitField() ? field->getBitWidthValue(*state_.context)
                             : state_.sizeOf(field->getType());
}

Place LowerExpr::place(const Expr *expr) {
  expr = expr->IgnoreParens();
  Place result;
  result.size = state_.sizeOf(expr->getType());
  if (const auto *name = dyn_cast<DeclRefExpr>(expr)) {
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl())) {
      result.object = state_.objectOf(variable, function_);
      result.inArray = variable->getType()->isArrayType();
      names(variable);
    }
    return result;
  }
  if (const auto *member = dyn_cast<MemberExpr>(expr)) {
    const Expr *base = member->getBase();
    Place whole;
    if (member->isArrow())
      whole.pointer = value(base);
    else if (base->isGLValue())
      whole = place(base);
    else
      whole.pointer = record(base, false);
    const auto *field = cast<FieldDecl>(member->getMemberDecl());
    const auto &layout = state_.context->getASTRecordLayout(field->getParent());
    whole.offset += static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()));
    whole.size = sizeOf(field);
    whole.inArray |= field->getType()->isArrayType();
    return whole;
  }
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr)) {
    const Expr *base = element->getBase()->IgnoreParens();
    if (const auto *decay = dyn_cast<ImplicitCastExpr>(base);
        decay && decay->getCastKind() == CK_ArrayToPointerDecay) {
      const Place array = place(decay->getSubExpr());
      result.object = array.object;
      result.pointer = array.pointer;
      result.offset = array.offset;
    } else {
      result.pointer = value(base);
    }
    value(element->getIdx());
    result.inArray = true;
    return result;
  }
  if (const auto *op = dyn_cast<UnaryOperator>(expr)) {
    if (op->getOpcode() == UO_Deref)
      result.pointer = value(op->getSubExpr());
    else
      return place(op->getSubExpr()); // __real, __extension__
    return result;
  }
  if (isa<StringLiteral, PredefinedExpr>(expr)) {
    Object text;
    text.kind = Object::Kind::Text;
    text.name = "text";
    text.isStatic = true;
    result.object = state_.addObject(text);
    return result;
  }
  if (const auto *literal = dyn_cast<CompoundLiteralExpr>(expr)) {
    Object object;
    object.name = "compound literal";
    object.owner = function_;
    result.object = state_.addObject(object);
    assign(result, literal->getInitializer(), false);
    return result;
  }
  if (const auto *cast = dyn_cast<CastExpr>(expr))
    return place(cast->getSubExpr());
  result.pointer = value(expr);
  return result;
}

Var LowerExpr::record(const Expr *expr, bool isCopied) {
  expr = expr->IgnoreParens();
  if (const auto *cast = dyn_cast<CastExpr>(expr)) {
    if (cast->getCastKind() != CK_LValueToRValue)
      return record(cast->getSubExpr(), isCopied);
    const Place from = place(cast->getSubExpr());
    use(from, isCopied);
    return state_.addressOf(from);
  }
  if (const auto *callExpr = dyn_cast<CallExpr>(expr)) {
    const CallId made = call(callExpr);
    if (isCopied)
      state_.program.groups[group_].copiedResults.push_back(made);
    const ObjectId result = state_.program.calls[made].resultObject;
    return result == kNone ? kNone : state_.addressOf(result, 0);
  }
  if (const auto *op = dyn_cast<BinaryOperator>(expr)) {
    if (op->isAssignmentOp()) {
      const Place to = place(op->getLHS());
      assign(to, op->getRHS(), isCopied);
      return state_.addressOf(to);
    }
    ordered();
    value(op->getLHS());
    return record(op->getRHS(), isCopied);
  }
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expr)) {
    conditional();
    value(choice->getCond());
    const Branch branch(*this);
    const Var yes = record(choice->getTrueExpr(), isCopied);
    return state_.join(yes, record(choice->getFalseExpr(), isCopied));
  }
  if (const auto *arg = dyn_cast<VAArgExpr>(expr))
    return vaArgValue(arg);
  if (const auto *body = dyn_cast<StmtExpr>(expr))
    return bodyValue(body->getSubStmt());
  if (expr->isGLValue()) {
    const Place from = place(expr);
    use(from, isCopied);
    return state_.addressOf(from);
  }
  parts(expr);
  return kNone;
}

/// The variadic arguments are one object, to which va_start made the list point.
Var LowerExpr::vaArgValue(const VAArgExpr *arg) {
  // A va_list is an array where it is declared, and a pointer to that where it is a parameter.
  const Expr *sub = arg->getSubExpr();
  Place list;
  if (sub->getType()->isPointerType())
    list.pointer = value(sub);
  else
    list = place(sub);
  use(list);
  define(list);
  Place rest;
  rest.pointer = state_.contentOf(list);
  use(rest);
  return isRecord(arg->getType()) ? rest.pointer : state_.contentOf(rest);
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
