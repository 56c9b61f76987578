// SPDX-License-Identifier: Apache-2.0
#include "analysis/ProcessCounts.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace forerun::slicer {
namespace {

using Known = std::set<const clang::ValueDecl *>;

/// The variable or member that the expression names; null if it is something else.
const clang::ValueDecl *nameOf(const clang::Expr *expr) {
  const clang::ValueDecl *result = nullptr;
  expr = expr->IgnoreParenCasts();
  if (const auto *name = clang::dyn_cast<clang::DeclRefExpr>(expr))
    result = name->getDecl();
  else if (const auto *member = clang::dyn_cast<clang::MemberExpr>(expr))
    result = member->getMemberDecl();
  return result ? clang::cast<clang::ValueDecl>(result->getCanonicalDecl()) : nullptr;
}

void addPassedOn(const Program &program, const Call &call, Known &known) {
  for (const FunctionId callee : call.callees) {
    const clang::FunctionDecl *to = program.functions[callee].definition;
    for (unsigned i = 0; i < std::min(call.expr->getNumArgs(), to->getNumParams()); ++i)
      if (known.count(nameOf(call.expr->getArg(i))) > 0)
        known.insert(to->getParamDecl(i));
  }
}

} // namespace

ProcessCounts::ProcessCounts(const Program &program) {
  for (const Call &call : program.calls)
    if (call.name == "MPI_Comm_size" && call.expr->getNumArgs() == 2)
      if (const auto *address =
              clang::dyn_cast<clang::UnaryOperator>(call.expr->getArg(1)->IgnoreParenCasts()))
        if (const auto *to = nameOf(address->getSubExpr()))
          known_.insert(to);
  for (std::size_t before = 0; before != known_.size();) {
    before = known_.size();
    for (const Call &call : program.calls)
      if (!call.isCallback)
        addPassedOn(program, call, known_);
  }
}

bool ProcessCounts::bounds(const clang::Stmt *loop) const {
  const auto *counted = clang::dyn_cast<clang::ForStmt>(loop);
  const auto *condition =
      counted && counted->getCond()
          ? clang::dyn_cast<clang::BinaryOperator>(counted->getCond()->IgnoreParenCasts())
          : nullptr;
  return condition && condition->isComparisonOp() && known_.count(nameOf(condition->getRHS())) > 0;
}

} // namespace forerun::slicer
