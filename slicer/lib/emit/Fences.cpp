// SPDX-License-Identifier: Apache-2.0
#include "emit/Fences.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace forerun::slicer {

using clang::dyn_cast;

/// How a place is reached.
struct Fences::Path {
  const clang::VarDecl *variable =
      nullptr;          ///< the variable that it is a part of; null: there is a pointer on the way
  bool byIndex = false; ///< ... and an index that may leave an array
};

namespace {

/// Whether the index is a constant within the array.
bool staysInside(const clang::ArraySubscriptExpr *element, const clang::ASTContext &ast) {
  const auto *array = ast.getAsConstantArrayType(element->getBase()->IgnoreImpCasts()->getType());
  clang::Expr::EvalResult index;
  return array && element->getIdx()->EvaluateAsInt(index, ast) &&
         index.Val.getInt().isNonNegative() &&
         index.Val.getInt().getZExtValue() < array->getSize().getZExtValue();
}

/// The array or vector that the element belongs to; null if its base is a pointer.
const clang::Expr *arrayOf(const clang::ArraySubscriptExpr *element) {
  const auto *base = element->getBase()->IgnoreParens();
  if (const auto *cast = dyn_cast<clang::ImplicitCastExpr>(base))
    return cast->getCastKind() == clang::CK_ArrayToPointerDecay ? cast->getSubExpr() : nullptr;
  return base->getType()->isVectorType() ? base : nullptr;
}

/// Skips the unnamed structures that contain a member.
const clang::MemberExpr *outermostNamed(const clang::MemberExpr *member) {
  while (const auto *base = dyn_cast<clang::MemberExpr>(member->getBase()->IgnoreParens())) {
    const auto *field = dyn_cast<clang::FieldDecl>(base->getMemberDecl());
    if (!field || !field->isAnonymousStructOrUnion())
      break;
    member = base;
  }
  return member;
}

} // namespace

bool Fences::isOwn(const clang::VarDecl *variable) const {
  return !variable->hasGlobalStorage() || variable->isStaticLocal() ||
         scope_.names.isPrivate(variable) ||
         scope_.slice.libraryVariables.count(variable->getNameAsString()) > 0;
}

Fences::Path Fences::follow(const clang::Expr *place) {
  place = place->IgnoreParens();
  if (const auto *name = dyn_cast<clang::DeclRefExpr>(place)) {
    const auto *variable = dyn_cast<clang::VarDecl>(name->getDecl());
    return {variable && isOwn(variable) ? variable : nullptr, false};
  }
  if (const auto *member = dyn_cast<clang::MemberExpr>(place))
    return member->isArrow() ? Path{} : follow(member->getBase());
  if (const auto *part = dyn_cast<clang::UnaryOperator>(place);
      part && (part->getOpcode() == clang::UO_Real || part->getOpcode() == clang::UO_Imag ||
               part->getOpcode() == clang::UO_Extension))
    return follow(part->getSubExpr());
  if (const auto *element = dyn_cast<clang::ArraySubscriptExpr>(place))
    if (const auto *array = arrayOf(element)) {
      Path path = follow(array);
      path.byIndex = path.byIndex || !staysInside(element, scope_.ast);
      return path;
    }
  return {};
}

void Fences::store(const clang::Expr *place) {
  place = place->IgnoreParens();
  const Path path = follow(place);
  if (path.variable && !path.byIndex)
    return;
  if (!place->refersToBitField()) {
    const auto *element = dyn_cast<clang::ArraySubscriptExpr>(place);
    if (element && arrayOf(element) && arrayOf(element)->getType()->isVectorType())
      return store(arrayOf(element));
    const bool isSized = path.variable && !path.variable->getType()->isIncompleteType();
    places_[place] = {isSized ? path.variable : nullptr, nullptr, nullptr};
    return;
  }
  const auto *member = outermostNamed(clang::cast<clang::MemberExpr>(place));
  if (!member->isArrow())
    return store(member->getBase());
  places_[place] = {nullptr, member->getBase(), clang::cast<clang::MemberExpr>(place)};
}

void Fences::storeThrough(const clang::Expr *address) {
  if (!isOwnAddress(address))
    addresses_.insert(address);
}

void Fences::seeAtomic(const clang::AtomicExpr *atomic) {
  using clang::AtomicExpr;
  switch (atomic->getOp()) {
  case AtomicExpr::AO__c11_atomic_load:
  case AtomicExpr::AO__atomic_load_n:
    return;
  case AtomicExpr::AO__atomic_load:
    return storeThrough(atomic->getVal1());
  case AtomicExpr::AO__atomic_exchange:
    storeThrough(atomic->getVal2());
    break;
  default:
    if (atomic->isCmpXChg())
      storeThrough(atomic->getVal1());
    break;
  }
  storeThrough(atomic->getPtr());
}

void Fences::see(const clang::Stmt *node) {
  if (const auto *binary = dyn_cast<clang::BinaryOperator>(node)) {
    if (binary->isAssignmentOp())
      store(binary->getLHS());
  } else if (const auto *unary = dyn_cast<clang::UnaryOperator>(node)) {
    if (unary->isIncrementDecrementOp())
      store(unary->getSubExpr());
  } else if (const auto *next = dyn_cast<clang::VAArgExpr>(node)) {
    store(next->getSubExpr()->IgnoreParenImpCasts());
  } else if (const auto *atomic = dyn_cast<clang::AtomicExpr>(node)) {
    seeAtomic(atomic);
  } else if (const auto *call = dyn_cast<clang::CallExpr>(node)) {
    const auto *callee = call->getDirectCallee(); // the older atomic operations are functions
    if (callee && callee->getBuiltinID() != 0 && call->getNumArgs() > 0 &&
        callee->getName().starts_with("__sync_"))
      storeThrough(call->getArg(0));
  }
}

std::optional<FencedPlace> Fences::find(const clang::Expr *place) const {
  const auto found = places_.find(place);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

bool Fences::isOwnAddress(const clang::Expr *address) {
  address = address->IgnoreParenCasts();
  if (const auto *operation = dyn_cast<clang::UnaryOperator>(address);
      operation && operation->getOpcode() == clang::UO_AddrOf)
    address = operation->getSubExpr();
  else if (!address->getType()->isArrayType())
    return false;
  const Path path = follow(address);
  return path.variable && !path.byIndex;
}

} // namespace forerun::slicer
