// SPDX-License-Identifier: Apache-2.0
#include "emit/EarlyArguments.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

namespace forerun::slicer {
namespace {

/// A place whose address is always the same in a call of the function.
bool isFixedPlace(const clang::Expr *expr, const clang::ASTContext &ast) {
  expr = expr->IgnoreParens();
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    return llvm::isa<clang::VarDecl>(name->getDecl());
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr))
    return !member->isArrow() && isFixedPlace(member->getBase(), ast);
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const auto *array = element->getBase()->IgnoreParenImpCasts();
    return array->getType()->isConstantArrayType() && isFixedPlace(array, ast) &&
           element->getIdx()->isIntegerConstantExpr(ast);
  }
  return false;
}

bool isFixed(const clang::Expr *expr, const clang::ASTContext &ast) {
  expr = expr->IgnoreParenCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr);
      address && address->getOpcode() == clang::UO_AddrOf)
    return isFixedPlace(address->getSubExpr(), ast);
  if (expr->getType()->isArrayType())
    return isFixedPlace(expr, ast);
  return expr->isIntegerConstantExpr(ast);
}

} // namespace

std::string EarlyArguments::value(int index) {
  std::string text = textOf_(index);
  const auto *argument = call_->getArg(static_cast<unsigned>(index));
  if (text.empty() || (!always_ && isFixed(argument, ast_)))
    return text;
  const std::string name = "__forerun_argument" + std::to_string(index);
  // No variable can have the type of a bit-field: the plus promotes it.
  const std::string sign = argument->getType()->isIntegerType() ? "+" : "";
  declared_[index] = argument->getType()->isPointerType()
                         ? "void *" + name + " = (void *)(" + text + "); "
                         : "__auto_type " + name + " = " + sign + "(" + text + "); ";
  return name;
}

std::string EarlyArguments::declarations() const {
  std::string all;
  for (const auto &[index, declaration] : declared_)
    all += declaration;
  return all;
}

} // namespace forerun::slicer
