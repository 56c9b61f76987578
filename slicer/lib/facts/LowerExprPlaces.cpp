// SPDX-License-Identifier: Apache-2.0
#include "facts/LowerExpr.h"

#include <clang/AST/RecordLayout.h>

/// \file
/// LowerExpr's memory: which place an expression names, what is written there, and structures.

namespace forerun::slicer {

using namespace clang;

Place LowerExpr::place(const Expr *expr) {
  expr = plain(expr);
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
  if (const auto *member = dyn_cast<MemberExpr>(expr))
    return memberPlace(member);
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr))
    return elementPlace(element);
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

Place LowerExpr::memberPlace(const MemberExpr *member) {
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

Place LowerExpr::elementPlace(const ArraySubscriptExpr *element) {
  Place result;
  result.size = state_.sizeOf(element->getType());
  const Expr *base = plain(element->getBase());
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

Var LowerExpr::record(const Expr *expr, bool isCopied) {
  expr = plain(expr);
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

void LowerExpr::assign(const Place &to, const Expr *expr, bool isCopied) {
  expr = plain(expr);
  if (const auto *list = dyn_cast<InitListExpr>(expr)) {
    fill(to, list);
  } else if (expr->getType()->isRecordType()) {
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
    else if (init->getType()->isRecordType())
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

} // namespace forerun::slicer
